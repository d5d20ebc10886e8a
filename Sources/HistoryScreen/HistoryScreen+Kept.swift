import DashboardCore
import History

// State restored with the file's next opening.
extension HistoryScreen {
  package var kept: [String: String] {
    var kept: [String: String] = [:]
    if !state.filter.isEmpty { kept["filter"] = state.filter }
    switch order {
    case .time: break
    case .value(let isDescending): kept["order"] = isDescending ? "largest" : "smallest"
    }
    return kept
  }

  package mutating func restore(_ kept: [String: String]) {
    state.filter = kept["filter"] ?? ""
    switch kept["order"] {
    case "largest": sort(by: .value(descending: true))
    case "smallest": sort(by: .value(descending: false))
    default: break
    }
  }
}
