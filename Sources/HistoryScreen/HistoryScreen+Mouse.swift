import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

// Mouse actions on the History screen.
extension HistoryScreen {
  func pane(at position: Position) -> HistoryPane? {
    HistoryPane.allCases.first { layout[$0].contains(position) }
  }

  /// Scrolls the list under the pointer; zooms over the chart.
  mutating func wheel(_ rows: Int, at position: Position) {
    switch pane(at: position) {
    case .tree: moveTreeRow(by: rows)
    case .chart: if canZoom(rows.signum()) { zoom(rows.signum()) }
    case .table, .detail, nil: moveSample(by: rows)
    }
  }

  mutating func press(_ position: Position) {
    let layout = layout
    guard let pane = pane(at: position) else { return }
    // At small sizes the tree covers everything while it is focused.
    state.pane = pane
    switch pane {
    case .tree: pressTree(position)
    case .chart:
      guard let time = chartTime(position, layout) else { return }
      clearSelection()
      session.movePlayhead(to: time)
    case .table: pressTable(position, layout)
    case .detail: break
    }
  }

  private mutating func pressTree(_ position: Position) {
    let parts = treeParts
    let row: HistoryTreeRow?
    if parts.tree.contains(position) {
      row = state.rows.dropFirst(position.y - parts.tree.y + state.offset).first
    } else if parts.notes.contains(position) {
      row = state.noteRows.dropFirst(position.y - parts.notes.y + state.listOffset).first
    } else {
      row = nil
    }
    guard let row, let id = row.id else { return }
    let isFoldSign = row.fold != .leaf && position.x <= parts.tree.x + row.depth + 2
    if isFoldSign { return toggle(id) }
    let wasSelected = state.row == id
    state.row = id
    // The first click selects, a second one opens.
    if wasSelected { enter() }
  }

  private mutating func pressTable(_ position: Position, _ layout: HistoryLayout) {
    let line = position.y - layout.tableArea.y - (layout.hasTableHeader ? 1 : 0)
    guard line >= 0, line < layout.tableRows, let index = selectedSample,
      let page = session.history.answer?.page
    else { return }
    let target = state.tableOffset + line
    guard target < page.total else { return }
    moveCursor(by: target - page.first - index)
    if session.isDoublePress { enter() }
  }

  /// Selects a range from where the button was pressed.
  mutating func drag(_ position: Position) {
    let layout = layout
    guard state.pane == .chart, layout[.chart].contains(position),
      let time = chartTime(position, layout)
    else { return }
    if state.selection == nil { state.selection = (session.present, session.present) }
    state.selection?.end = time
  }

  /// The rows of a text metric's chart; `nil` if the chart is a curve.
  var textLanes: TextLanes? {
    guard let answer = session.history.answer, answer.query.focus == state.focus, answer.isTextChart else {
      return nil
    }
    let chart = answer.chart
    return TextLanes(
      chart.texts, steps: { chart.start(ofColumn: $0).seconds..<chart.start(ofColumn: $0 + 1).seconds },
      gaps: state.gaps.map { $0.lowerBound.seconds...$0.upperBound.seconds }, in: layout.plotArea,
      theme: session.theme)
  }

  /// The time under a column of the chart.
  private func chartTime(_ position: Position, _ layout: HistoryLayout) -> Timestamp? {
    var chart = Chart(
      series: [], xRange: state.window.lowerBound.seconds...state.window.upperBound.seconds, yRange: 0...1,
      gutter: layout.gutter, theme: session.theme)
    chart.lanes = textLanes?.lanes ?? []
    return chart.time(atColumn: position.x, in: layout.plotArea).map { Timestamp($0) }
  }
}
