import Codecs
import DashboardCore
import History

// Text description of the History screen.
extension HistoryScreen {
  /// Description of the focused pane.
  package var description: String {
    let stretch =
      "\(session.zone.moment(state.window.lowerBound, now: session.now)) to "
      + session.zone.moment(state.window.upperBound, now: session.now)
    guard let focus = state.focus else { return "No metric is selected; the window is \(stretch)." }
    let about =
      switch state.pane {
      case .tree: listed
      case .chart: charted
      case .table: "Selected sample: \(copied)"
      case .detail: "The line: \(copied)"
      }
    let farAway = farAwayText.map { " \($0)." } ?? ""
    return "\(focus.fullName) from \(stretch). \(about).\(farAway)"
  }

  private var copied: String { paneText.split(separator: "\t").joined(separator: ", ") }

  private var listed: String {
    let count = state.rows.count
    let filter = state.filter.isEmpty ? "" : " that match «\(state.filter)»"
    return "\(NumberFormat.grouped(count)) rows\(filter), selected: \(copied)"
  }

  private var charted: String {
    guard let answer = session.history.answer, let focus = answer.query.focus else {
      return "Still reading"
    }
    let summary = answer.query.selection == nil ? answer.summary : answer.selection ?? HistorySummary()
    let statistics = statistics(
      summary, of: focus, in: answer.query.selection ?? answer.query.window)
    let figures = statistics.parts.map { "\($0.name) \($0.value)" }
    let gaps = state.gaps.isEmpty ? "" : "; \(state.gaps.count) gaps"
    return (answer.query.selection == nil ? "" : "Of the selected range: ")
      + figures.joined(separator: ", ") + gaps
  }
}
