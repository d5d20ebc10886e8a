import Aggregation
import Codecs
import DashboardCore
import History
import TerminalUI

// The tree of buckets with the counts in the window, and below it views and marks.
extension HistoryView {
  func drawTree(into buffer: inout Buffer) {
    var panel = Panel(
      "Buckets", look: layout.step.paneLook, trailing: "n in window", isFocused: state.pane == .tree,
      theme: theme)
    panel.leading += filterHint(state.rowFilter.shownText)
    if !layout.hasBoxes { panel.trailing.append(hint("Enter shows")) }
    panel.render(in: layout[.tree], into: &buffer)
    let parts = screen.treeParts
    draw(state.rows, offset: state.offset, in: parts.tree, into: &buffer)
    if state.rows.isEmpty {
      draw(emptyBy: state.rowFilter, in: parts.tree.inset(left: 2, right: 1), into: &buffer)
    }
    guard !parts.notes.isEmpty else { return }
    let rule = String(repeating: signs.horizontal, count: parts.rule.width)
    buffer.write(rule, at: parts.rule.origin, style: theme[.border], limit: parts.rule.width)
    draw(state.noteRows, offset: state.listOffset, in: parts.notes, into: &buffer)
  }

  private func draw(_ rows: [HistoryTreeRow], offset: Int, in area: Rect, into buffer: inout Buffer) {
    let seen = Array(rows.dropFirst(offset).prefix(area.height))
    let hasCounts = seen.contains { $0.count != nil }
    var columns = [Column("", width: 8, isFlexible: true)]
    if hasCounts { columns.append(Column("", width: 8, alignment: .trailing)) }
    let troubled = session.incidents.series(in: state.windowSeconds)
    let table = Table(
      columns: columns, rows: seen.map { tableRow($0, troubled) },
      selection: state.row.flatMap { row in seen.firstIndex { $0.id == row } }, hasHeader: false,
      theme: theme)
    table.render(in: area, into: &buffer)
  }

  private func tableRow(_ row: HistoryTreeRow, _ troubled: Set<SeriesIdentity>) -> TableRow {
    let style: Style
    if case .node(.series(let series)) = row.id, troubled.contains(series) {
      style = theme[.warning]
    } else {
      style = isShown(row) ? theme[.accent] : row.id == nil || row.depth == 0 ? theme[.title] : theme[.text]
    }
    var cells = [Line(row.label, style)]
    if let count = row.count {
      let mark = isShown(row) ? "*" : ""
      cells.append([
        Span(mark, theme[.accent]), Span(NumberFormat.grouped(count), theme[.dim]),
      ])
    } else if isShown(row) {
      cells.append(Line("*", theme[.accent]))
    }
    return TableRow(cells, indent: row.depth + (row.fold == .leaf && row.depth > 0 ? 2 : 0), fold: row.fold)
  }

  /// True if chart and table show this row.
  private func isShown(_ row: HistoryTreeRow) -> Bool {
    guard let focus = state.focus else { return false }
    if let narrowed = state.narrowed { return row.id == .value(focus, narrowed) }
    return row.id == .node(.series(focus))
  }
}
