import Aggregation
import Codecs
package import DashboardCore
import History
import Platform
package import TerminalUI

/// Draws the panes of the History screen that the layout has room for.
package struct HistoryView: ScreenView {
  package let screen: HistoryScreen
  package let session: Session
  package let state: HistoryState
  package let theme: Theme
  let layout: HistoryLayout

  init(_ screen: HistoryScreen) {
    self.screen = screen
    (session, state) = (screen.session, screen.state)
    theme = session.theme
    layout = screen.layout
  }

  package var frame: ScreenFrame { layout.frame }
  /// The newest answer, if it is about the series in focus.
  var answer: HistoryAnswer? {
    session.history.answer.flatMap { $0.query.focus == state.focus ? $0 : nil }
  }
  /// True if the newest answer is not yet for the last query.
  var isBehind: Bool { session.history.answer?.query != session.history.asked }
  var unit: ValueUnit { state.focus.map { session.unit(of: $0) } ?? .plain }

  package var shortSubject: String { state.focus?.shortName ?? HistoryScreen.title.title }

  /// The metric in the header, if the tree has no pane of its own.
  package var subject: String {
    guard !layout.hasBoxes, frame.step < .list, let focus = state.focus else { return "" }
    return (focus.bucket.map { "\($0) \(signs.collapsed) " } ?? "") + focus.label + " " + signs.expanded
  }

  package func drawBody(into buffer: inout Buffer) {
    if let reason = historyEmptiness {
      if session.store.count == 0, session.history.work == nil, let lines = unreadable {
        drawUnreadable(lines, in: frame.body, into: &buffer)
      } else {
        drawEmptiness(reason, into: &buffer)
      }
    } else if layout.step == .tiny {
      drawTiny(into: &buffer)
    } else {
      if !layout[.sentence].isEmpty { drawSentence(into: &buffer) }
      if !layout[.tree].isEmpty { drawTree(into: &buffer) }
      if !layout[.summary].isEmpty { drawSummary(into: &buffer) }
      if !layout[.chart].isEmpty { drawChart(into: &buffer) }
      if !layout[.table].isEmpty { drawTable(into: &buffer) }
      if !layout[.detail].isEmpty { drawDetail(into: &buffer) }
    }
    drawWork(session.history.work, into: &buffer)
  }

  /// Draws a line about problems of the metric in focus in this window.
  private func drawSentence(into buffer: inout Buffer) {
    let area = layout[.sentence].inset(left: session.tabsStart)
    guard state.focus != nil else { return }
    let start = buffer.write(session.incidentPrefix, at: area.origin, style: theme[.dim])
    let line =
      screen.headline.map { event in
        AlertSentence(session: session, about: event, keys: hint("[ ] incidents"))
          .line(width: area.width - start - 1, buffer.repertoire)
      }
      ?? Line(
        session.shown.status.isRemote
          ? "Incidents are searched for in files only"
          : session.knowsIncidents ? "No incident of this metric" : "Looking for incidents", theme[.dim])
    buffer.write(
      line, at: Position(x: area.x + start, y: area.y), limit: area.width - start, overflow: .ellipsis)
  }

  package var footerHints: [Footer.Hint] {
    let extending = state.pane == .chart ? "range" : "x10"
    let ordered: [(String, String)] = [
      (signs.leftRight, "step"), ("t", "time"), ("+ -", "zoom"),
      ("Enter", canZoomToRange ? "zoom in" : "open"), ("Tab", paneHint),
      ("[ ]", "marker"), ("Shift", extending), ("s", "sort"), ("/", "filter"), ("J", "raw"), ("o", "editor"),
      ("y", "copy"), ("q", "back"),
    ]
    let shown = layout.step >= .narrow ? Array(ordered.prefix(3)) : ordered
    return shown.map { Footer.Hint($0.0, $0.1) }
  }

  private var canZoomToRange: Bool { state.pane == .chart && screen.selectedRange != nil }

  private var paneHint: String { layout.hasBoxes ? "pane" : "buckets" }

  /// The window as text: `13:32 - 13:52 (20m)`.
  var windowText: String {
    let window = state.window
    let length = window.upperBound - window.lowerBound
    let precision: ClockZone.Precision = length < 10 ? .milliseconds : length < 600 ? .seconds : .minutes
    let from =
      length < 600
      ? zone.exactMoment(window.lowerBound, now: session.now, precision)
      : zone.moment(window.lowerBound, now: session.now, precision)
    let to = zone.moment(window.upperBound, now: window.lowerBound, precision)
    return "\(from) - \(to) (\(DurationFormat.text(length)))"
  }
}
