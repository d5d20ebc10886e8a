import TerminalUI

extension Model {
  mutating func handle(_ mouse: MouseEvent) -> [Effect] {
    if mouse.action != .move { session.isTouched = true }
    switch mouse.action {
    case .wheelUp: return wheel(-3, at: mouse.position)
    case .wheelDown: return wheel(3, at: mouse.position)
    case .press where mouse.button == .left: return press(mouse.position)
    case .drag where mouse.button == .left: return drag(mouse.position)
    case .release: return session.overlay == nil ? tell(.release(mouse.position)) : []
    case .press, .drag, .move, .wheelLeft, .wheelRight: return []
    }
  }

  /// Scrolls the active list, or the part of the screen under the pointer.
  private mutating func wheel(_ rows: Int, at position: Position) -> [Effect] {
    session.overlay == nil ? tell(.wheel(by: rows, at: position)) : moveCursor(by: rows)
  }

  private mutating func press(_ position: Position) -> [Effect] {
    if let effects = pressHint(at: position) { return effects }
    if session.overlay != nil { return [] }
    let frame = ScreenFrame(size: session.size)
    if frame.rail.contains(position) {
      moveOnRail(position)
      return []
    }
    if frame.header.contains(position) { return pressTab(atColumn: position.x - session.tabsStart) }
    session.notePress(at: position)
    return tell(.press(position))
  }

  /// Performs the keys of the hint at a position; `nil` without a hint.
  private mutating func pressHint(at position: Position) -> [Effect]? {
    guard let (hint, offset) = view(self).buffer.hint(at: position) else { return nil }
    let presses = KeyPress.presses(on: hint, at: offset, signs: session.theme.signs)
    guard !presses.isEmpty else { return nil }
    // A key in a pane's frame belongs to that pane.
    let effects = session.overlay == nil ? tell(.focusPane(at: position)) : []
    return effects + presses.flatMap { handle($0, .key($0)) }
  }

  private mutating func drag(_ position: Position) -> [Effect] {
    if ScreenFrame(size: session.size).rail.contains(position) {
      moveOnRail(position)
      return []
    }
    return session.overlay == nil ? tell(.drag(position)) : []
  }

  private mutating func pressTab(atColumn column: Int) -> [Effect] {
    let step = ScreenFrame(size: session.size).step
    guard step < .list, let tab = session.tabsWidget.tab(atColumn: column, isCompact: step > .medium) else {
      return []
    }
    return show(tab: tab)
  }

  private mutating func moveOnRail(_ position: Position) {
    let rail = session.rail
    let strip = ScreenFrame(size: session.size).railStrip(
      startWidth: session.railStart(rail.first).count, endWidth: session.railEnd.count)
    let column = max(0, min(rail.counts.count - 1, position.x - strip.x))
    guard let time = rail.time(ofColumn: column) else { return }
    if column == rail.counts.count - 1 { return session.goLive() }
    session.movePlayhead(to: time)
  }
}
