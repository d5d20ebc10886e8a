import TerminalUI

extension Model {
  mutating func take(_ mouse: MouseEvent) -> [Effect] {
    if mouse.action != .move { live.isTouched = true }
    switch mouse.action {
    case .wheelUp: moveCursor(by: -3)
    case .wheelDown: moveCursor(by: 3)
    case .press where mouse.button == .left: return press(mouse.position)
    case .drag where mouse.button == .left: drag(mouse.position)
    case .press, .drag, .release, .move, .wheelLeft, .wheelRight: break
    }
    return []
  }

  private mutating func press(_ position: Position) -> [Effect] {
    if overlay != nil { return [] }
    let frame = ScreenFrame(size: size)
    if frame.rail.contains(position) {
      moveOnRail(position)
    } else if frame.footer.contains(position) || frame.header.contains(position), position.x >= size.width - 8
    {
      showHelp()
    } else if frame.header.contains(position) {
      pressTab(atColumn: position.x - tabsStart)
    } else if screen == .history {
      pressHistory(position)
    } else if screen == .sync {
      pressSync(position)
    } else if screen == .histogram {
      if histogram.look.isOverview { return pressOverview(position) }
      pressHistogram(position)
    } else if let pane = layout.panes.first(where: { layout.rect(of: $0).contains(position) }) {
      live.pane = pane
      if pane == .tree { pressRow(position) }
    }
    return []
  }

  private mutating func drag(_ position: Position) {
    if ScreenFrame(size: size).rail.contains(position) {
      moveOnRail(position)
    } else if screen == .history, overlay == nil {
      dragHistory(position)
    }
  }

  /// The column that the tabs begin at.
  var tabsStart: Int { ScreenFrame(size: size).step > .medium ? 0 : 1 }

  var tabs: Tabs {
    let isShort = ScreenFrame(size: size).step > .medium
    return Tabs(
      Screen.allCases.map { isShort ? $0.shortTitle : $0.title },
      keys: Screen.allCases.map { String($0.key) },
      selection: Screen.allCases.firstIndex(of: screen) ?? 0, theme: theme)
  }

  private mutating func pressTab(atColumn column: Int) {
    let step = ScreenFrame(size: size).step
    guard step < .list, let tab = tabs.tab(atColumn: column, isCompact: step > .medium) else { return }
    show(Screen.allCases[tab])
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
    let strip = ScreenFrame(size: size).railStrip(
      startWidth: railStart(rail.first).count, endWidth: railEnd.count)
    let column = max(0, min(rail.counts.count - 1, position.x - strip.x))
    guard let time = rail.time(ofColumn: column) else { return }
    if column == rail.counts.count - 1 { return goLive() }
    movePlayhead(to: time)
  }
}
