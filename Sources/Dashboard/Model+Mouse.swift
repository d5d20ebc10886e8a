import TerminalUI

extension Model {
  mutating func take(_ mouse: MouseEvent) -> [Effect] {
    if mouse.action != .move { live.isTouched = true }
    switch mouse.action {
    case .wheelUp: moveCursor(by: -3)
    case .wheelDown: moveCursor(by: 3)
    case .press where mouse.button == .left: return press(mouse.position)
    case .drag where mouse.button == .left && layout.rail.contains(mouse.position): moveOnRail(mouse.position)
    case .press, .drag, .release, .move, .wheelLeft, .wheelRight: break
    }
    return []
  }

  private mutating func press(_ position: Position) -> [Effect] {
    if live.overlay != nil { return [] }
    let layout = layout
    if layout.rail.contains(position) {
      moveOnRail(position)
    } else if layout.footer.contains(position) || layout.header.contains(position),
      position.x >= size.width - 8
    {
      showHelp()
    } else if let pane = layout.panes.first(where: { layout.rect(of: $0).contains(position) }) {
      live.pane = pane
      if pane == .tree { pressRow(position) }
    }
    return []
  }

  /// Selects the row; a second click on a bucket folds it.
  private mutating func pressRow(_ position: Position) {
    let area = layout.rows
    let index = position.y - area.y + live.offset
    guard area.contains(position), live.content.rows.indices.contains(index) else { return }
    let row = live.content.rows[index]
    let isFoldSign = row.fold != .leaf && (row.id == live.selection || position.x <= area.x + row.depth + 2)
    if isFoldSign { fold(row.id) } else { live.selection = row.id }
  }

  private mutating func moveOnRail(_ position: Position) {
    let rail = live.content.rail
    let strip = layout.railStrip(startWidth: railStart(rail.first).count, endWidth: railEnd.count)
    let column = max(0, min(rail.counts.count - 1, position.x - strip.x))
    guard let time = rail.time(ofColumn: column) else { return }
    if column == rail.counts.count - 1 { return goLive() }
    movePlayhead(to: time)
  }
}
