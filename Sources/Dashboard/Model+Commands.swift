import Aggregation
import TerminalUI

// What the actions of the table do.
extension Model {
  // MARK: The playhead

  mutating func toggleFreeze() {
    if isFrozen { return goLive() }
    freeze(at: live.content.edge)
  }

  mutating func goLive() {
    live.playhead = .live
    shown = feed
  }

  mutating func freeze(at moment: Double) {
    if !isFrozen { live.recordedAtFreeze = feed.store.recorded }
    live.playhead = .frozen(moment)
  }

  /// Moves the playhead by a twentieth of the window over what is loaded.
  mutating func movePlayhead(by direction: Int) {
    let step = max(live.window / 20, live.quantum)
    movePlayhead(to: live.content.edge + Double(direction) * step)
  }

  mutating func movePlayhead(to moment: Double) {
    guard let range = feed.store.timeRange else { return }
    freeze(at: max(range.lowerBound, min(moment, max(now, range.upperBound))))
    // Moving on shows what came meanwhile; standing still does not.
    shown = feed
  }

  // MARK: The window

  private var zoomIndex: Int {
    LiveState.windows.firstIndex { $0 >= live.window } ?? LiveState.windows.count - 1
  }

  func canZoom(_ direction: Int) -> Bool { LiveState.windows.indices.contains(zoomIndex + direction) }

  mutating func zoom(_ direction: Int) {
    guard canZoom(direction) else { return }
    live.window = LiveState.windows[zoomIndex + direction]
  }

  mutating func resetZoom() {
    live.window = LiveState.usualWindow
    live.isAutoScaled = true
  }

  mutating func toggleAutoScale() {
    live.isAutoScaled.toggle()
    say(live.isAutoScaled ? "The value axis fits itself" : "The value axis stands still")
  }

  // MARK: Panes

  var panes: [Pane] { live.isMaximised ? LiveLayout(size: size).panes : layout.panes }

  mutating func nextPane(_ direction: Int) {
    let panes = LiveLayout(size: size).panes
    guard !panes.isEmpty else { return }
    let index = panes.firstIndex(of: live.pane) ?? 0
    live.pane = panes[(index + direction + panes.count) % panes.count]
  }

  mutating func toggleMaximised() { live.isMaximised.toggle() }

  mutating func toggleMouse() -> [Effect] {
    isMouseOn.toggle()
    say(isMouseOn ? "Mouse on; hold Shift to select text" : "Mouse off: select text as usual")
    return [.mouse(isMouseOn)]
  }

  // MARK: Leaving

  /// Closes what lies on top; never quits.
  mutating func close() {
    if live.overlay != nil {
      closeOverlay()
    } else if toast != nil {
      toast = nil
    } else if live.isMaximised {
      live.isMaximised = false
    } else if !live.filter.isEmpty {
      live.filter = ""
    } else if isFrozen {
      goLive()
    }
  }

  /// A line lies over the samples that it was chosen from.
  private mutating func closeOverlay() {
    if case .line(_, let query) = live.overlay {
      live.overlay = .samples(query.identity, selection: query.selection)
    } else {
      live.overlay = nil
    }
  }

  /// Closes what lies on top, or quits where nothing does.
  mutating func back() -> [Effect] {
    guard live.overlay != nil || live.isMaximised else {
      wantsReceipt = true
      return [.quit]
    }
    if live.overlay != nil { closeOverlay() } else { live.isMaximised = false }
    return []
  }
}
