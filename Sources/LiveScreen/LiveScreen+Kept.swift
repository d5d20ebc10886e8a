import Aggregation
import DashboardCore

// State restored at the next opening of the file.
extension LiveScreen {
  package var kept: [String: String] {
    var kept: [String: String] = [:]
    if !state.filter.isEmpty { kept["filter"] = state.filter }
    if state.sort != .unusual { kept["sort"] = state.sort.rawValue }
    if state.isInverted { kept["inverted"] = "yes" }
    if state.isTree { kept["tree"] = "yes" }
    if session.isTouched, case .series(let identity) = state.selection {
      kept["metric"] = identity.fullName
    }
    return kept
  }

  package mutating func restore(_ kept: [String: String]) {
    state.filter = kept["filter"] ?? ""
    state.sort = kept["sort"].flatMap(SortKey.init) ?? .unusual
    state.isInverted = kept["inverted"] == "yes"
    state.isTree = kept["tree"] == "yes"
    // Sorting has to wait until samples are read.
    state.mustSort = state.sort != .unusual
    state.keptMetric = kept["metric"]
  }
}

extension LiveScreen {
  /// Applies the stored sort order and selection, as soon as all data present at the opening is read.
  mutating func takeKept() {
    guard session.alerts.isOfWhole else { return }
    sortKept()
    guard let name = state.keptMetric else { return }
    state.keptMetric = nil
    let (store, isTouched) = (session.store, session.isTouched)
    let known = store.allSeries.lazy.compactMap { store.identity(of: $0) }
    if !isTouched, let found = known.first(where: { $0.fullName == name }) { adopt(found) }
  }
}
