import Aggregation
import Codecs
import DashboardCore
import Platform
import TerminalUI

// Mouse actions on the Live screen.
extension LiveScreen {
  private func pane(at position: Position) -> LivePane? {
    layout.panes.first { layout[$0].contains(position) }
  }

  mutating func focusPane(at position: Position) {
    if let pane = pane(at: position) { state.pane = pane }
  }

  /// Scrolls the list under the pointer; zooms over the chart.
  mutating func wheel(_ rows: Int, at position: Position) {
    switch pane(at: position) {
    case .chart: zoom(rows.signum())
    case .events: moveEvent(by: rows.signum())
    case .tree, nil: moveSelection(by: rows)
    case .comparison: break
    }
  }

  mutating func press(_ position: Position) {
    state.drag = nil
    guard let pane = pane(at: position) else { return }
    state.pane = pane
    switch pane {
    case .tree:
      if let key = LiveView(self).sortKey(at: position) { sort(by: key) } else { pressRow(position) }
    case .chart: state.drag = chartTime(position).map { ($0, $0) }
    case .events: pressEvent(position)
    case .comparison: break
    }
  }

  /// Selects the row; a second click on a bucket folds it, a double click on a metric opens it.
  private mutating func pressRow(_ position: Position) {
    let area = layout.rows
    let index = position.y - area.y + state.offset
    guard area.contains(position), state.content.rows.indices.contains(index) else { return }
    let row = state.content.rows[index]
    let isSelected = row.id == state.selection
    let isFoldSign = row.fold != .leaf && (isSelected || position.x <= area.x + row.depth + 2)
    if isFoldSign { return fold(row.id) }
    state.selection = row.id
    if isSelected, session.isDoublePress { enter() }
  }

  /// Selects the event; a double click opens its samples.
  private mutating func pressEvent(_ position: Position) {
    let (area, events) = (layout.eventRows, session.alerts.events)
    let offset = Table.offset(showing: session.alertIndex, of: events.count, height: area.height, from: 0)
    let index = position.y - area.y + offset
    guard area.contains(position), events.indices.contains(index) else { return }
    session.alertSelection = events[index].id
    if session.isDoublePress { enter() }
  }

  // MARK: The chart

  /// Extends the dragged range to a position.
  mutating func drag(_ position: Position) {
    if state.drag != nil, let time = chartTime(position) { state.drag?.end = time }
  }

  /// Shows the dragged range, or goes to the clicked moment.
  mutating func release() {
    guard let drag = state.drag else { return }
    let range = state.draggedRange
    state.drag = nil
    guard let range else { return session.movePlayhead(to: drag.begin) }
    state.zooms.append(LiveZoom(window: session.window, zoom: session.zoom, playhead: session.playhead))
    session.setWindow(range.upperBound - range.lowerBound)
    session.zoom = .length(session.window)
    session.movePlayhead(to: range.upperBound)
    session.showToast("Zoomed to \(DurationFormat.text(session.window)); q goes back")
  }

  /// - Returns: True if there was a zoom to undo.
  mutating func zoomBack() -> Bool {
    guard let before = state.zooms.popLast() else { return false }
    (session.window, session.zoom) = (before.window, before.zoom)
    // A view that has since returned to the live end stays there.
    if session.isFrozen {
      switch before.playhead {
      case .live: session.goLive()
      case .frozen(let moment): session.movePlayhead(to: moment)
      }
    }
    return true
  }

  /// The time of a column of the chart.
  private func chartTime(_ position: Position) -> Timestamp? {
    let edge = session.edge.seconds
    let chart = Chart(
      series: [], xRange: edge - session.window...edge, yRange: 0...1, gutter: layout.gutter,
      theme: session.theme)
    return chart.time(atColumn: position.x, in: layout.plotArea).map { Timestamp($0) }
  }
}
