import Aggregation
import History
import TerminalUI

// What the mouse does on the History screen.
extension Model {
  mutating func pressHistory(_ position: Position) {
    let layout = historyLayout
    guard let pane = HistoryPane.allCases.first(where: { layout.rect(of: $0).contains(position) }) else {
      return
    }
    // At small sizes the tree lies over everything while it has the keys.
    history.pane = pane
    switch pane {
    case .tree: pressTree(position, layout)
    case .chart:
      guard let time = chartTime(position, layout) else { return }
      clearSelection()
      movePlayhead(to: time)
    case .table: pressTable(position, layout)
    case .detail: break
    }
  }

  private mutating func pressTree(_ position: Position, _ layout: HistoryLayout) {
    let parts = layout.treeParts(notes: history.content.notes.count)
    let row: HistoryTreeRow?
    if parts.tree.contains(position) {
      row = history.content.rows.dropFirst(position.y - parts.tree.y + history.offset).first
    } else if parts.notes.contains(position) {
      row = history.content.notes.dropFirst(position.y - parts.notes.y + history.listOffset).first
    } else {
      row = nil
    }
    guard let row, let id = row.id else { return }
    let isFoldSign = row.fold != .leaf && position.x <= parts.tree.x + row.depth + 2
    if isFoldSign { return toggle(id) }
    let wasSelected = history.row == id
    history.row = id
    // A click chooses, a second one opens.
    if wasSelected { enterHistory() }
  }

  private mutating func pressTable(_ position: Position, _ layout: HistoryLayout) {
    let line = position.y - layout.tableArea.y - (layout.hasTableHeader ? 1 : 0)
    guard line >= 0, line < layout.tableRows, let index = selectedSample, let page = history.picture?.page
    else { return }
    let target = history.tableOffset + line
    guard target < page.total else { return }
    moveHistoryCursor(by: target - page.first - index)
  }

  /// Selects from where the button went down.
  mutating func dragHistory(_ position: Position) {
    let layout = historyLayout
    guard history.pane == .chart, layout.chart.contains(position),
      let time = chartTime(position, layout)
    else { return }
    if history.selection == nil { history.selection = (live.content.edge, live.content.edge) }
    history.selection?.end = time
  }

  /// The time under a column of the chart.
  private func chartTime(_ position: Position, _ layout: HistoryLayout) -> Double? {
    let chart = Chart(
      series: [], xRange: history.window.lowerBound...history.window.upperBound, yRange: 0...1,
      gutter: layout.gutter, theme: theme)
    return chart.time(atColumn: position.x, in: layout.plotArea)
  }
}
