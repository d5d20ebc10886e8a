import Codecs
import DashboardCore
import TelemetryCore
import TerminalUI

/// Draws the overview of payloads.
struct OverviewView {
  let state: OverviewState
  let theme: Theme
  let step: LayoutStep
  /// The label of the help key.
  var helpKey = "?"

  private var signs: Signs { theme.signs }
  private var content: OverviewContent { state.content }

  /// Draws into an area of any size.
  func drawBody(in area: Rect, into buffer: inout Buffer) {
    guard let overview = content.overview, !content.lines.isEmpty else { return }
    let layout = OverviewLayout(area, step, sides: overview.sides.count)
    if step == .tiny { return drawTiny(overview, in: area, into: &buffer) }
    if step.hasBoxes { drawFrame(overview, in: area, into: &buffer) }
    drawWords(overview, in: layout.words, into: &buffer)
    drawTable(overview, layout, into: &buffer)
  }

  private func drawFrame(_ overview: PayloadOverview, in area: Rect, into buffer: inout Buffer) {
    let sides = overview.sides.enumerated().map { "\($0.offset == 0 ? "A" : "B") \($0.element.name)" }
    let place = content.selected.map {
      "\(NumberFormat.grouped($0 + 1)) of \(NumberFormat.grouped(content.lines.count))"
    }
    var panel = Panel("Payloads", look: .pane, trailing: sides.joined(separator: " vs "), theme: theme)
    if let place { panel.leading.append(Line(place, theme[.dim])) }
    panel.render(in: area, into: &buffer)
  }

  /// Draws the facts about each side that matter for judging the figures.
  private func drawWords(_ overview: PayloadOverview, in area: Rect, into buffer: inout Buffer) {
    let lines = overview.sides.enumerated().map { number, side -> Line in
      let hasMarks = !side.selection.marks.isEmpty
      return [
        Span(number == 0 ? "A " : "B ", theme[.dim]), Span(side.name, theme[.accent]),
        Span(" ", theme[.dim]), Span(side.words, theme[hasMarks ? .warning : .dim]),
      ]
    }
    if area.height >= lines.count {
      for (row, line) in lines.enumerated() {
        buffer.write(
          line, at: Position(x: area.x + 1, y: area.y + row), limit: area.width - 2, overflow: .ellipsis)
      }
    } else if area.height > 0 {
      let room = max(1, area.width / max(1, lines.count))
      for (number, line) in lines.enumerated() {
        buffer.write(
          line, at: Position(x: area.x + number * room, y: area.y), limit: room - 1, overflow: .ellipsis)
      }
    }
  }

  private func drawTable(_ overview: PayloadOverview, _ layout: OverviewLayout, into buffer: inout Buffer) {
    let area = layout.table
    let columns = OverviewColumn.columns(width: area.width, hasB: overview.b != nil)
    let names = overview.sides.map(\.name)
    let offset = content.offset(from: state.offset, rows: layout.rows)
    let seen = content.lines.dropFirst(offset).prefix(layout.rows)
    let formatter = OverviewFormatter(theme: theme)
    let table = Table(
      columns: columns.map { column in
        Column(
          column.title(sides: names), width: column.width, isFlexible: column.kind == .name,
          alignment: column.isLeading ? .leading : .trailing)
      },
      rows: seen.map { line in
        let isWhole = formatter.whole(line, indent: 0, width: area.width) != nil
        return row(
          line, isWhole ? [] : columns.map { formatter.cell($0, of: line) }, isShort: step >= .list,
          room: area.width / 4)
      },
      selection: content.selected.map { $0 - offset }, theme: theme)
    table.render(in: area, into: &buffer)
    for (row, line) in seen.enumerated() {
      let indent = min(area.width / 4, step >= .list ? line.depth / 2 : line.depth)
      guard let text = formatter.whole(line, indent: indent, width: area.width) else { continue }
      let base = row + offset == content.selected ? theme[.selection] : .plain
      buffer.write(
        text, at: Position(x: area.x + 1, y: area.y + 1 + row), base: base, limit: area.width - 1,
        overflow: .ellipsis)
    }
  }

  /// - Parameter room: Maximum indentation, so that the name stays visible.
  private func row(_ line: OverviewLine, _ cells: [Line], isShort: Bool, room: Int) -> TableRow {
    TableRow(cells, indent: min(room, isShort ? line.depth / 2 : line.depth), fold: line.fold)
  }

  // MARK: Tiny

  /// The selected line only.
  private func drawTiny(_ overview: PayloadOverview, in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty, let line = content.selectedLine else { return }
    buffer.write(helpKey, at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
    let start = buffer.write(signs.selected, at: area.origin, style: theme[.accent])
    buffer.write(
      line.label, at: Position(x: area.x + start, y: area.y), style: theme[.title],
      limit: max(0, area.width - 2 - start), overflow: .ellipsis)
    for (row, text) in tinyLines(line, overview).enumerated() where row + 1 < area.height {
      buffer.write(
        text, at: Position(x: area.x, y: area.y + row + 1), limit: area.width, overflow: .ellipsis)
    }
  }

  private func tinyLines(_ line: OverviewLine, _ overview: PayloadOverview) -> [Line] {
    let formatter = OverviewFormatter(theme: theme)
    if case .node(let total, let own, let share) = line.content {
      return [
        Line("total \(NumberFormat.count(total)) self \(NumberFormat.count(own))", theme[.text]),
        Line(formatter.bar(share, width: 12) + " " + NumberFormat.share(share), theme[.series1]),
      ]
    }
    let cell = { (kind: OverviewColumn.Kind, isB: Bool) in
      formatter.cell(OverviewColumn(kind: kind, isB: isB, width: 11), of: line)
    }
    var lines = overview.sides.indices.map { number -> Line in
      var text = Line(number == 0 ? "A " : "B ", theme[.dim])
      text.spans += cell(.value, number == 1).spans
      let count = cell(.count, number == 1)
      if !count.isEmpty { text.spans += [Span(" n ", theme[.dim])] + count.spans }
      return text
    }
    var verdict = cell(.change, false)
    verdict.spans += [Span(verdict.isEmpty ? "" : " ")] + cell(.verdict, false).spans
    lines.append(verdict)
    let marks = overview.sides.reduce(into: PayloadMarks()) { $0.formUnion($1.selection.marks) }
    lines.append(Line(marks.words.joined(separator: ", "), theme[.warning]))
    return lines
  }
}

extension PayloadOverview {
  /// A, and B if there is one.
  var sides: [Side] { [a] + (b.map { [$0] } ?? []) }
}
