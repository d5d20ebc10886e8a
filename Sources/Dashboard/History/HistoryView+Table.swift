import Aggregation
import History
import TerminalUI

// The samples of the window: as many rows as are seen, out of however many there are.
extension HistoryView {
  private var page: HistoryPage {
    history.picture.flatMap { model.isOfFocus($0) ? $0.page : nil } ?? HistoryPage()
  }

  func drawTable(into buffer: inout Buffer) {
    if layout.hasBoxes { drawTableFrame(into: &buffer) }
    let area = layout.tableArea
    let page = page
    guard page.total > 0 else {
      let text = isBehind || history.picture == nil ? "Reading" : "No samples in this window"
      buffer.write(
        text, at: Position(x: area.x + 1, y: area.y + (layout.hasTableHeader ? 1 : 0)), style: theme[.dim],
        limit: area.width - 1, overflow: .ellipsis)
      return
    }
    // Fewer rows may have come than there were.
    let first = min(history.tableOffset, page.total - 1)
    let seen = first..<min(page.total, first + layout.tableRows)
    let selected = model.selectedSample.map { page.first + $0 }
    let fields = fieldNames(page)
    let table = Table(
      columns: columns(page, fields), rows: seen.map { row($0, page, fields) },
      selection: selected.flatMap { seen.contains($0) ? $0 - seen.lowerBound : nil },
      hasHeader: layout.hasTableHeader, theme: theme)
    table.render(in: area, into: &buffer)
  }

  private func drawTableFrame(into buffer: inout Buffer) {
    let page = page
    let sort =
      switch history.order {
      case .time: "sort time \(signs.ascending)"
      case .value(descending: true): "sort value \(signs.descending)"
      case .value(descending: false): "sort value \(signs.ascending)"
      }
    var panel = Panel(
      "samples in view \(Decimal.grouped(history.picture?.summary.count ?? page.total))", trailing: sort,
      footer: "s sort", isFocused: history.pane == .table, theme: theme)
    panel.footerLeading.append(Line("Enter raw line", theme[.dim]))
    if page.isCut { panel.leading.append(Line("largest and smallest 1 000", theme[.warning])) }
    if let index = model.selectedSample {
      let place = "row \(Decimal.grouped(page.first + index + 1)) of \(Decimal.grouped(page.total))"
      panel.footerTrailing = [Line(place, theme[.dim])]
    }
    panel.render(in: layout.table, into: &buffer)
  }

  // MARK: Columns

  /// The fields of the rows that are seen, in the order of writing.
  private func fieldNames(_ page: HistoryPage) -> [String] {
    var names: [String] = []
    for row in page.rows.prefix(200) {
      for field in row.fields where names.count < 12 && !names.contains(field.name) {
        names.append(field.name)
      }
    }
    return names
  }

  private var valueWidth: Int { layout.step >= .list ? 7 : 9 }

  private func hasNumbers(_ page: HistoryPage) -> Bool {
    page.rows.contains { if case .number = $0.value { true } else { false } }
  }

  /// Columns of the bars that values are shown as: what the others leave, within reason.
  private func barWidth(_ page: HistoryPage, _ fields: [String]) -> Int {
    var others = timeWidth + valueWidth + 3 + fields.reduce(0) { $0 + fieldWidth($1) + 1 }
    if layout.step < .narrow { others += 9 }
    if layout.step < .list { others += lineWidth(page) + 1 }
    return max(layout.step >= .list ? 8 : 11, min(40, layout.tableArea.width - others))
  }

  private func fieldWidth(_ name: String) -> Int { max(7, min(14, SafeText.width(of: name))) }

  private func columns(_ page: HistoryPage, _ fields: [String]) -> [Column] {
    let hasNumbers = hasNumbers(page)
    var columns = [
      Column("TIME", width: timeWidth),
      Column(
        "VALUE", width: valueWidth, isFlexible: !hasNumbers, alignment: hasNumbers ? .trailing : .leading),
    ]
    if hasNumbers {
      let top = unit.text(history.content.range.upperBound)
      let isShort = layout.step >= .list
      columns.append(
        Column(isShort ? "" : "BAR 0-\(top)", width: barWidth(page, fields), dropOrder: 1))
      if layout.step < .narrow {
        columns.append(Column("\(signs.delta)prev", width: 8, alignment: .trailing, dropOrder: 2))
      }
    }
    for (index, name) in fields.enumerated() {
      columns.append(Column(name, width: fieldWidth(name), dropOrder: 4 + index))
    }
    if layout.step < .list {
      // What is left over is its own, so that it stands at the right edge.
      columns.append(
        Column("LINE", width: lineWidth(page), isFlexible: hasNumbers, alignment: .trailing, dropOrder: 3))
    }
    return columns
  }

  private func lineWidth(_ page: HistoryPage) -> Int {
    page.rows.reduce(4) { max($0, min(12, String($1.line).count)) }
  }

  /// Whether the rows are of more than one day, so that a time alone would not tell.
  private var hasDays: Bool {
    zone.date(history.window.lowerBound) != zone.date(history.window.upperBound.nextDown)
  }

  private var timeWidth: Int { layout.step >= .list ? 9 : hasDays ? 18 : 12 }

  private func time(_ time: Double) -> String {
    if layout.step >= .list {
      if hasDays { return String(zone.date(time).suffix(5)) }
      return String(zone.time(time, .milliseconds).dropFirst(3).dropLast(2))
    }
    let clock = zone.time(time, .milliseconds)
    return hasDays ? zone.date(time).suffix(5) + " " + clock : clock
  }

  // MARK: Rows

  /// The row of this number in the window; one that is not at hand yet is left open.
  private func row(_ number: Int, _ page: HistoryPage, _ fields: [String]) -> TableRow {
    let index = number - page.first
    guard page.rows.indices.contains(index) else { return TableRow([Line(signs.ellipsis, theme[.dim])]) }
    let row = page.rows[index]
    var cells = [Line(time(row.time), theme[.dim])]
    if case .number(let value) = row.value {
      cells.append(Line(layout.step >= .list ? unit.bare(value) : unit.text(value), theme[.value]))
    } else {
      cells.append(Line(row.value.words, row.value == .null ? theme[.dim] : theme[.value]))
    }
    if hasNumbers(page) {
      cells.append(Line(bar(row.value, width: barWidth(page, fields)), theme[.series1]))
      if layout.step < .narrow { cells.append(change(at: index, page)) }
    }
    cells += fields.map { name in
      let value = row.fields.first { $0.name == name }?.value
      return Line(value.map { text($0, name) } ?? "", theme[.text])
    }
    if layout.step < .list { cells.append(Line(String(row.line), theme[.dim])) }
    return TableRow(cells)
  }

  private func text(_ value: SeriesValue, _ name: String) -> String {
    if case .number(let number) = value { return Unit(name: name).text(number) }
    return value.words
  }

  private func bar(_ value: SeriesValue, width: Int) -> String {
    guard case .number(let number) = value, history.content.range.upperBound > 0, number > 0 else {
      return ""
    }
    let share = min(1, number / history.content.range.upperBound)
    return String(repeating: signs.barFull, count: max(1, Int((share * Double(width)).rounded())))
  }

  /// The change from the row before; in the order of time alone it says something.
  private func change(at index: Int, _ page: HistoryPage) -> Line {
    guard history.order == .time, index > 0, case .number(let value) = page.rows[index].value,
      case .number(let before) = page.rows[index - 1].value
    else { return Line() }
    let change = value - before
    return Line((change > 0 ? "+" : "") + unit.text(change), theme[.dim])
  }
}
