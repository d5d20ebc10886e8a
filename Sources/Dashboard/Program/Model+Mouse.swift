import TerminalUI

extension Model {
  mutating func handle(_ mouse: MouseEvent) -> [Effect] {
    if mouse.action != .move { session.isTouched = true }
    switch mouse.action {
    case .wheelUp: return wheel(-3, at: mouse.position)
    case .wheelDown: return wheel(3, at: mouse.position)
    case .press where mouse.button == .left: return press(mouse.position)
    case .drag where mouse.button == .left: return drag(mouse.position)
    case .press, .drag, .release, .move, .wheelLeft, .wheelRight: return []
    }
  }

  /// Moves the list in front, or what lies under the pointer.
  private mutating func wheel(_ rows: Int, at position: Position) -> [Effect] {
    session.overlay == nil ? tell(.wheel(by: rows, at: position)) : moveCursor(by: rows)
  }

  private mutating func press(_ position: Position) -> [Effect] {
    if session.overlay != nil { return [] }
    let frame = ScreenFrame(size: session.size)
    if frame.rail.contains(position) {
      moveOnRail(position)
      return []
    }
    if frame.footer.contains(position) { return pressHint(atColumn: position.x) }
    if frame.header.contains(position), position.x >= session.size.width - 8 { return showHelp() }
    if frame.header.contains(position) { return pressTab(atColumn: position.x - session.tabsStart) }
    return tell(.press(position))
  }

  /// Does what the key of a hint in the footer does.
  private mutating func pressHint(atColumn column: Int) -> [Effect] {
    let footer = Footer(facts.footerHints, of: session)
    guard let (hint, offset) = footer.hint(atColumn: column, in: ScreenFrame(size: session.size).footer),
      let press = KeyPress(hint: hint.key, offset: offset, signs: session.theme.signs),
      let action = table.action(for: press)
    else { return [] }
    return perform(action)
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
    return show(place: tab)
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
