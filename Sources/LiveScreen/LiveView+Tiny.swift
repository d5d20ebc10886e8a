import Aggregation
import Codecs
import DashboardCore
import TerminalUI

// A single metric, where nothing more fits.
extension LiveView {
  func drawTiny(into buffer: inout Buffer) {
    let area = Rect(size: session.size)
    guard !area.isEmpty else { return }
    let help = Line(session.keyText("?"), theme[.key])
    buffer.write(help, at: Position(x: area.maxX - 1, y: area.y))
    let room = max(0, area.width - 2)
    guard let focus = content.focus else {
      let text = session.shown.status.problem ?? (content.rows.isEmpty ? "no samples" : selectedLabel)
      buffer.write(text, at: area.origin, style: theme[.dim], limit: room, overflow: .ellipsis)
      return
    }
    drawTinyName(focus, in: Rect(x: 0, y: 0, width: room, height: 1), into: &buffer)
    for (row, line) in tinyLines(focus).enumerated() where row + 1 < area.height {
      buffer.write(line, at: Position(x: 0, y: row + 1), limit: area.width, overflow: .ellipsis)
    }
    guard area.height > 5 else { return }
    drawTinyRest(in: area.inset(top: 5), into: &buffer)
  }

  private var selectedLabel: String { screen.selectedIndex.map { content.rows[$0].label } ?? "" }

  /// The name with its value at the end; the name is truncated.
  private func drawTinyName(_ focus: LiveFocus, in area: Rect, into buffer: inout Buffer) {
    let row = screen.focusedRow
    let stats = row?.series.flatMap { content.stats[$0]?.stats } ?? RowStats()
    let value = row.map { RowFigures(row: $0, stats: stats, theme: theme).now } ?? Line()
    let valueWidth = min(area.width / 2, value.width(buffer.repertoire))
    let start = buffer.write(signs.selected, at: area.origin, style: theme[.accent], limit: area.width)
    buffer.write(
      focus.identity.label, at: Position(x: start, y: area.y), style: theme[.title],
      limit: max(0, area.width - valueWidth - 1 - start), overflow: .ellipsis)
    buffer.write(
      value, at: Position(x: area.maxX - valueWidth, y: area.y), limit: valueWidth, overflow: .ellipsis)
  }

  private func tinyLines(_ focus: LiveFocus) -> [Line] {
    let unit = session.unit(of: focus.identity)
    let values = focus.columns.map { column in column?.mean ?? column.map { Double($0.count) } }
    let spark = Sparkline(values, theme: theme).text(width: session.size.width)
    var figures = Line()
    if focus.window.quantiles.count == LiveFocus.percentiles.count {
      let thin = focus.window.moments.count < 20 ? "~" : ""
      figures.append("p50 ", theme[.dim])
      figures.append(thin + unit.text(focus.window.quantiles[0].value), theme[.text])
      figures.append(" p95 ", theme[.dim])
      figures.append(thin + unit.text(focus.window.quantiles[3].value), theme[.text])
    } else if let share = focus.window.shareOfTrue {
      figures.append("true ", theme[.dim])
      figures.append(NumberFormat.share(share), theme[.text])
    } else if let top = focus.window.texts.first {
      figures.append("\(top.text) \(NumberFormat.share(top.share))", theme[.text])
    }
    var count = Line()
    count.append("n \(NumberFormat.count(focus.window.count))", theme[.dim])
    let alerts = session.alerts.count(at: session.present)
    if alerts > 0 { count.append("  ! \(alerts)", theme[.alert]) }
    var keys = Line()
    keys.append("\(screen.selectedIndex.map { $0 + 1 } ?? 0)/\(content.rows.count)", theme[.dim])
    let clock = session.skewText.map { playheadLine + Line($0, theme[.warning]) } ?? playheadLine
    return [Line(spark, theme[.series1]), figures, clock, count + keys]
  }

  /// Further rows of the list, where the screen is narrow but tall.
  private func drawTinyRest(in area: Rect, into buffer: inout Buffer) {
    guard let index = screen.selectedIndex else { return }
    let rows = content.rows.dropFirst(index + 1).prefix(area.height)
    for (line, row) in rows.enumerated() {
      buffer.write(
        row.label, at: Position(x: 1 + (row.series == nil ? 0 : 1), y: area.y + line),
        style: row.series == nil ? theme[.title] : theme[.dim], limit: max(0, area.width - 2),
        overflow: .ellipsis)
    }
  }
}

extension Line {
  fileprivate static func + (left: Line, right: Line) -> Line {
    Line(left.spans + [Span("  ")] + right.spans)
  }
}
