import History

// State restored with the file's next opening.
extension HistoryScreen {
  package static func kept(_ model: Context) -> [String: String] {
    var kept: [String: String] = [:]
    if !model.state.filter.isEmpty { kept["filter"] = model.state.filter }
    switch model.order {
    case .time: break
    case .value(let isDescending): kept["order"] = isDescending ? "largest" : "smallest"
    }
    return kept
  }

  package static func restore(_ model: inout Context, _ kept: [String: String]) {
    model.state.filter = kept["filter"] ?? ""
    switch kept["order"] {
    case "largest": model.sort(by: .value(descending: true))
    case "smallest": model.sort(by: .value(descending: false))
    default: break
    }
  }
}
