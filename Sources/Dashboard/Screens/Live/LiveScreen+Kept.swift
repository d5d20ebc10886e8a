import Aggregation

// State restored with the file's next opening.
extension LiveScreen {
  package static func kept(_ model: Context) -> [String: String] {
    var kept: [String: String] = [:]
    if !model.state.filter.isEmpty { kept["filter"] = model.state.filter }
    if model.state.sort != .unusual { kept["sort"] = model.state.sort.rawValue }
    if model.state.isInverted { kept["inverted"] = "yes" }
    if model.state.isTree { kept["tree"] = "yes" }
    if model.session.isTouched, case .series(let identity) = model.state.selection {
      kept["metric"] = identity.fullName
    }
    return kept
  }

  package static func restore(_ model: inout Context, _ kept: [String: String]) {
    model.state.filter = kept["filter"] ?? ""
    model.state.sort = kept["sort"].flatMap(SortKey.init) ?? .unusual
    model.state.isInverted = kept["inverted"] == "yes"
    model.state.isTree = kept["tree"] == "yes"
    // There is nothing to sort before the samples are read.
    model.state.mustSort = model.state.sort != .unusual
    model.state.keptMetric = kept["metric"]
  }
}

extension ScreenModel where Owner == LiveScreen {
  /// Sorts by and selects what was kept, as soon as all that was there at the opening is read.
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
