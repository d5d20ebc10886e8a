import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

/// The columns and rows of the sample table for the available page.
struct HistorySampleTable {
  private let view: HistoryView
  private let page: HistoryPage
  /// The fields of the rows, in the order written.
  private let fields: [String]
  private let fieldWidths: [Int]
  private let hasNumbers: Bool
  /// True if the rows span more than one day, so that a time alone would be ambiguous.
  private let hasDays: Bool
  /// True if a date needs its year.
  private let hasYears: Bool
  private let lineWidth: Int
  /// Width of the bars that represent values: the room left by the other columns, within limits.
  private let barWidth: Int
  /// Periods in which the metric was far from usual.
  private let trouble: [Range<Double>]

  /// - Parameter width: total width of all columns.
  init(view: HistoryView, page: HistoryPage, width: Int) {
    self.view = view
    self.page = page
    let step = view.layout.step
    let window = view.state.window
    fields = Self.fieldNames(page)
    hasNumbers = page.rows.contains { if case .number = $0.value { true } else { false } }
    hasDays = view.zone.date(window.lowerBound) != view.zone.date(window.upperBound.nextDown)
    hasYears = hasDays && window.upperBound - window.lowerBound > Self.yearLength
    lineWidth = page.rows.reduce(4) { max($0, min(12, String($1.line).count)) }
    var others = Self.timeWidth(step, hasDays, hasYears) + Self.valueWidth(step) + 3
    fieldWidths = fields.map { Self.fieldWidth($0, page) }
    others += fieldWidths.reduce(0) { $0 + $1 + 1 }
    if step < .narrow { others += 9 }
    if step < .list { others += lineWidth + 1 }
    barWidth = max(step >= .list ? 8 : 11, min(40, width - others))
    trouble = view.trouble
  }

  private var step: LayoutStep { view.layout.step }
  private var theme: Theme { view.theme }

  private static func fieldNames(_ page: HistoryPage) -> [String] {
    var names: [String] = []
    for row in page.rows.prefix(200) {
      for field in row.fields where names.count < 12 && !names.contains(field.name) {
        names.append(field.name)
      }
    }
    return names
  }

  /// Window length in seconds above which dates include the year.
  private static let yearLength = 300 * 86_400.0

  private static func timeWidth(_ step: LayoutStep, _ hasDays: Bool, _ hasYears: Bool) -> Int {
    step >= .list ? 9 : hasYears ? 23 : hasDays ? 18 : 12
  }

  private static func valueWidth(_ step: LayoutStep) -> Int { step >= .list ? 7 : 9 }

  /// Width of the name and of the texts in the first rows, within limits.
  private static func fieldWidth(_ name: String, _ page: HistoryPage) -> Int {
    let texts = page.rows.prefix(200).lazy.compactMap { row -> String? in
      let value = row.fields.first { $0.name == name }?.value
      if case .number? = value { return nil }
      return value?.words
    }
    return max(7, min(14, texts.reduce(SafeText.width(of: name)) { max($0, SafeText.width(of: $1)) }))
  }

  /// The highest `dropOrder` is dropped first when room is short: the last fields, the line, the change, the bar.
  var columns: [Column] {
    var columns = [
      Column("TIME", width: Self.timeWidth(step, hasDays, hasYears)),
      Column(
        "VALUE", width: Self.valueWidth(step), isFlexible: !hasNumbers,
        alignment: hasNumbers ? .trailing : .leading),
    ]
    if hasNumbers {
      let top = view.unit.text(view.state.axis.range.upperBound, width: barWidth - 6)
      columns.append(Column(step >= .list ? "" : "BAR 0-\(top)", width: barWidth, dropOrder: 1))
      if step < .narrow {
        columns.append(Column("\(view.signs.delta)prev", width: 8, alignment: .trailing, dropOrder: 2))
      }
    }
    for (index, name) in fields.enumerated() {
      columns.append(Column(name, width: fieldWidths[index], dropOrder: 4 + index))
    }
    if step < .list {
      // The remaining width goes to this column, so that it is at the right edge.
      columns.append(
        Column("LINE", width: lineWidth, isFlexible: hasNumbers, alignment: .trailing, dropOrder: 3))
    }
    return columns
  }

  /// The row with this number in the window; a row that is not available yet shows an ellipsis.
  func row(_ number: Int) -> TableRow {
    let index = number - page.first
    guard page.rows.indices.contains(index) else {
      return TableRow([Line(view.signs.ellipsis, theme[.dim])])
    }
    let row = page.rows[index]
    let isTrouble = trouble.contains { $0.contains(row.time.seconds) }
    var cells = [Line(time(row.time), theme[.dim]), value(row.value, isTrouble)]
    if hasNumbers {
      cells.append(bar(row.value, isTrouble))
      if step < .narrow { cells.append(change(at: index)) }
    }
    cells += zip(fields, fieldWidths).map { name, width in
      let value = row.fields.first { $0.name == name }?.value
      return Line(value.map { text($0, name, width) } ?? "", theme[.text])
    }
    if step < .list { cells.append(Line(String(row.line), theme[.dim])) }
    return TableRow(cells)
  }

  private func time(_ time: Timestamp) -> String {
    let (zone, date) = (view.zone, view.zone.date(time))
    guard step < .list else {
      if hasYears { return String(date.dropFirst(2)) }
      if hasDays { return date.suffix(2) + " " + zone.time(time, .minutes) }
      return String(zone.time(time, .milliseconds).dropFirst(3).dropLast(2))
    }
    let clock = zone.time(time, .milliseconds)
    return hasYears ? date + " " + clock : hasDays ? date.suffix(5) + " " + clock : clock
  }

  private func value(_ value: SeriesValue, _ isTrouble: Bool) -> Line {
    guard case .number(let number) = value else {
      return Line(value.words, theme[value == .null ? .dim : .value])
    }
    let text = view.unit.text(number, width: Self.valueWidth(step))
    return Line(text, theme[isTrouble ? .alert : .value])
  }

  private func text(_ value: SeriesValue, _ name: String, _ width: Int) -> String {
    if case .number(let number) = value { return ValueUnit(name: name).text(number, width: width) }
    return value.words
  }

  private func bar(_ value: SeriesValue, _ isTrouble: Bool) -> Line {
    let top = view.state.axis.range.upperBound
    guard case .number(let number) = value, top > 0, number > 0 else { return Line() }
    let share = min(1, number / top)
    let columns = max(1, Int((share * Double(barWidth)).rounded()))
    return Line(
      String(repeating: view.signs.barFull, count: columns),
      isTrouble ? theme[.alert] : theme.height(share / 2))
  }

  /// The change from the previous row, which is meaningful only in time order.
  private func change(at index: Int) -> Line {
    guard view.screen.order == .time, index > 0, case .number(let value) = page.rows[index].value,
      case .number(let before) = page.rows[index - 1].value
    else { return Line() }
    let change = value - before
    return Line((change > 0 ? "+" : "") + view.unit.text(change, width: 7), theme[.dim])
  }
}
