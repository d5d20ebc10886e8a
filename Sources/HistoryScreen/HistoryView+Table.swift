import Aggregation
import Codecs
import DashboardCore
import History
import TerminalUI

// The samples of the window: the visible rows, out of however many there are.
extension HistoryView {
  private var page: HistoryPage {
    session.history.answer.flatMap { screen.isOfFocus($0) ? $0.page : nil } ?? HistoryPage()
  }

  func drawTable(into buffer: inout Buffer) {
    if layout.hasBoxes { drawTableFrame(into: &buffer) }
    let area = layout.tableArea
    let page = page
    guard page.total > 0 else {
      let text = isBehind || session.history.answer == nil ? "Reading" : "No samples in this window"
      buffer.write(
        text, at: Position(x: area.x + 1, y: area.y + (layout.hasTableHeader ? 1 : 0)), style: theme[.dim],
        limit: area.width - 1, overflow: .ellipsis)
      return
    }
    // There may now be fewer rows than before.
    let first = min(state.tableOffset, page.total - 1)
    let seen = first..<min(page.total, first + layout.tableRows)
    let selected = screen.selectedSample.map { page.first + $0 }
    let samples = HistorySampleTable(view: self, page: page, width: area.width)
    let table = Table(
      columns: samples.columns, rows: seen.map(samples.row),
      selection: selected.flatMap { seen.contains($0) ? $0 - seen.lowerBound : nil },
      hasHeader: layout.hasTableHeader, theme: theme)
    table.render(in: area, into: &buffer)
    if !layout.hasBoxes, layout.hasTableHeader, state.pane == .table {
      buffer.write(signs.selected, at: area.origin, style: theme[.borderFocused])
    }
  }

  /// `300-350, ver 2.4.1`: the samples in the table, if they are not all of the window.
  private var filterText: String? {
    guard let filter = state.sampleFilter else { return nil }
    var parts: [String] = []
    if let values = filter.values { parts.append(text(of: values)) }
    parts += filter.labels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.words)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `300-350`, `<100`, `500+`.
  private func text(of values: Range<Double>) -> String {
    let (low, high) = (values.lowerBound, values.upperBound)
    if low == -.infinity { return high == .infinity ? "all" : "<\(unit.figure(high))" }
    if high == .infinity { return "\(unit.figure(low))+" }
    let (lower, upper) = (unit.figure(low), unit.figure(high))
    return lower == upper ? lower : "\(lower)-\(upper)"
  }

  private func drawTableFrame(into buffer: inout Buffer) {
    let page = page
    let sort =
      switch screen.order {
      case .time: "sort time \(signs.ascending)"
      case .value(descending: true): "sort value \(signs.descending)"
      case .value(descending: false): "sort value \(signs.ascending)"
      }
    // Before the first answer, the number of samples is unknown.
    let count = answer.map { " " + NumberFormat.grouped($0.summary.count) } ?? ""
    var panel = Panel(
      filterText.map { "samples \($0)  (Esc shows all)" } ?? "samples in view\(count)", look: .pane,
      trailing: sort, isFocused: state.pane == .table, theme: theme)
    if page.isCut { panel.leading.append(Line("largest and smallest 1 000", theme[.warning])) }
    if let index = screen.selectedSample {
      let place = "row \(NumberFormat.grouped(page.first + index + 1)) of \(NumberFormat.grouped(page.total))"
      panel.trailing.append(Line(place, theme[.dim]))
    }
    panel.render(in: layout[.table], into: &buffer)
  }
}
