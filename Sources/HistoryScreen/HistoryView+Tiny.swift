import Aggregation
import Codecs
import DashboardCore
import History
import TerminalUI

// A single metric for sizes without room for more.
extension HistoryView {
  func drawTiny(into buffer: inout Buffer) {
    let area = Rect(size: session.size)
    guard !area.isEmpty else { return }
    if state.pane == .tree {
      // The last row is for typed text.
      return drawTinyTree(in: area.inset(bottom: session.overlay?.isInFooter ?? false ? 1 : 0), into: &buffer)
    }
    buffer.write(session.keyText("?"), at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
    let start = buffer.write(signs.selected, at: area.origin, style: theme[.accent])
    buffer.write(
      focusText, at: Position(x: start, y: area.y), style: theme[.title],
      limit: max(0, area.width - 2 - start), overflow: .ellipsis)
    for (row, line) in tinyLines.enumerated() where row + 1 < area.height {
      buffer.write(line, at: Position(x: 0, y: row + 1), limit: area.width, overflow: .ellipsis)
    }
  }

  private func drawTinyTree(in area: Rect, into buffer: inout Buffer) {
    let rows = state.rows
    let selected = rows.firstIndex { $0.id == state.row }
    let offset = Table.offset(showing: selected, of: rows.count, height: area.height, from: 0)
    for (line, row) in rows.dropFirst(offset).prefix(area.height).enumerated() {
      let isSelected = row.id == state.row
      let text =
        (isSelected ? signs.selected : " ") + String(repeating: " ", count: row.depth / 2) + row.label
      buffer.write(
        text, at: Position(x: 0, y: area.y + line), style: isSelected ? theme[.selection] : theme[.text],
        limit: max(0, area.width - 2), overflow: .ellipsis)
    }
    if !rows.contains(where: { $0.id == state.row }) {
      buffer.write(signs.selected, at: area.origin, style: theme[.accent])
    }
    buffer.write(session.keyText("?"), at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
  }

  private var tinyLines: [Line] {
    var value = Line()
    if let row = screen.selectedRow {
      if case .number(let number) = row.value {
        value.append(unit.text(number), theme[.value])
      } else {
        value.append(row.value.words, theme[.value])
      }
    } else {
      value.append(isBehind ? "reading" : "no sample", theme[.dim])
    }
    if let answer {
      append(
        statistics(answer.summary, of: answer, in: answer.query.window), to: &value,
        room: session.size.width)
    }
    let chart = answer?.chart ?? HistoryChart()
    let isCount = answer?.isCountChart ?? false
    let values = chart.columns.map { column in column.map { isCount ? Double($0.count) : $0.maximum } }
    let spark = Sparkline(values, theme: theme).text(width: session.size.width)
    return [value, Line(spark, theme[.series1]), playheadLine, Line(windowText, theme[.dim])]
  }
}
