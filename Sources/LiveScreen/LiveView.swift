import Aggregation
package import DashboardCore
import Platform
package import TerminalUI

/// Draws the Live screen: the panes that fit, then the overlays.
package struct LiveView: ScreenView {
  package let screen: LiveScreen
  package let session: Session
  package let state: LiveState
  package let theme: Theme
  let layout: LiveLayout
  /// The figures of the list.
  let columns: [LiveColumn]

  init(_ screen: LiveScreen) {
    self.screen = screen
    (session, state, layout) = (screen.session, screen.state, screen.layout)
    theme = session.theme
    columns = layout.columns
  }

  package var frame: ScreenFrame { layout.frame }
  var content: LiveContent { state.content }
  package var shortSubject: String {
    LiveScreen.title.title + (state.filter.isEmpty ? "" : " /\(state.filter)")
  }

  package func drawBody(into buffer: inout Buffer) {
    if layout.step == .tiny { return drawTiny(into: &buffer) }
    if content.rows.isEmpty, state.filter.isEmpty || session.store.count == 0 {
      drawNothing(into: &buffer)
    } else {
      drawSentence(into: &buffer)
      if !layout[.tree].isEmpty { drawTree(into: &buffer) }
      if !layout[.chart].isEmpty { drawChart(into: &buffer) }
      if !layout[.comparison].isEmpty { drawComparison(into: &buffer) }
      if !layout[.events].isEmpty { drawEvents(into: &buffer) }
    }
  }

  /// Draws the current problem in one line, in the longest wording that fits.
  private func drawSentence(into buffer: inout Buffer) {
    let area = layout[.sentence]
    var start = area.x + session.tabsStart
    start += buffer.write(session.incidentPrefix, at: Position(x: start, y: area.y), style: theme[.dim])
    let width = max(0, area.maxX - start)
    let line = AlertSentence(session: session).line(width: width - 1, buffer.repertoire)
    buffer.write(line, at: Position(x: start, y: area.y), limit: width, overflow: .ellipsis)
  }

  /// Draws the placeholder shown before the first sample: the reason, and what to do.
  private func drawNothing(into buffer: inout Buffer) {
    let area = Rect(size: session.size).inset(top: 1, bottom: 2)
    if let lines = unreadable { return drawUnreadable(lines, in: area, into: &buffer) }
    let status = session.shown.status
    var lines: [Line] = []
    if let problem = status.problem {
      lines.append(Line(problem, theme[.alert]))
      if let source = status.sources.first, status.sources.count == 1, PathParts.hasFolder(source) {
        lines.append(Line(source, theme[.dim]))
      }
    } else if let progress = status.progress {
      lines.append(Line("Reading", theme[.title]))
      let bar = ProgressBar(
        "", done: progress.done, total: progress.total, perSecond: progress.perSecond, theme: theme)
      let row = Rect(x: area.x + 2, y: area.y + area.height / 2 + 1, width: area.width - 4, height: 1)
      bar.render(in: row, into: &buffer)
    } else {
      lines.append(Line("No samples yet", theme[.title]))
      let source = status.sources.first.map { $0 == "-" ? "standard input" : $0 }
      lines.append(Line("Waiting for \(source ?? "input")", theme[.dim]))
    }
    let top = area.y + max(0, area.height / 2 - lines.count)
    for (index, line) in lines.enumerated() {
      let x = area.x + max(1, (area.width - line.width(buffer.repertoire)) / 2)
      buffer.write(line, at: Position(x: x, y: top + index), limit: area.width - 2, overflow: .ellipsis)
    }
  }

  package var footerHints: [Footer.Hint] {
    let ordered: [(String, String)] = [
      ("Space", session.isFrozen ? "run" : "freeze"), (signs.leftRight, "back in time"), ("/", "filter"),
      ("Enter", "samples"), ("e", "alert"), ("i", "compare"), ("s", "sort"), ("y", "copy"), ("q", "quit"),
    ]
    let shown = layout.step >= .narrow ? Array(ordered.prefix(3)) : ordered
    return shown.map { Footer.Hint($0.0, $0.1) }
  }
}
