import DashboardCore
import TerminalUI

extension HistogramScreen {
  /// The pane at a position.
  func pane(at position: Position) -> HistogramPane? {
    layout.panes.first { layout[$0].contains(position) }
  }

  /// Focuses a pane and selects the pressed row or column; a double click opens it.
  mutating func press(_ position: Position) {
    let layout = layout
    guard let pane = pane(at: position) else { return }
    state.pane = pane
    let area = layout.inner(of: layout[pane])
    guard area.contains(position) else { return }
    let line = position.y - area.y
    let content = state.content
    switch pane {
    case .bins:
      let row = line - (layout.hasBinTitles ? 1 : 0)
      if let rows = content.figures?.rows, rows.indices.contains(row), row < layout.binRows {
        state.cursors[.bins] = row
      }
    case .versions: if content.versions.indices.contains(line) { state.cursors[.versions] = line }
    case .split: if content.groups.indices.contains(line - 1) { state.cursors[.split] = line - 1 }
    case .course:
      let column = (position.x - area.x - HistogramLayout.courseMargin + 1) / courseCell(in: area.width)
      if content.course.columns.indices.contains(column) { state.cursors[.course] = column }
    case .figures: return
    }
    if session.isDoublePress { enter() }
  }

  /// The drawn width of a column of time.
  func courseCell(in width: Int) -> Int {
    let count = max(1, state.content.course.columns.count)
    return max(1, min(3, (width - HistogramLayout.courseMargin) / count))
  }
}
