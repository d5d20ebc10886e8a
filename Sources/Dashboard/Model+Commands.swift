import Aggregation
import TerminalUI

// What the actions of the table do.
extension Model {
  // MARK: The window

  private var zoomIndex: Int {
    LiveState.windows.firstIndex { $0 >= live.window } ?? LiveState.windows.count - 1
  }

  func canZoom(_ direction: Int) -> Bool {
    switch screen {
    case .live: LiveState.windows.indices.contains(zoomIndex + direction)
    case .history: canZoomHistory(direction)
    case .histogram: canZoomHistogram(direction)
    case .sync: false
    }
  }

  mutating func zoom(_ direction: Int) {
    guard canZoom(direction) else { return }
    switch screen {
    case .live: live.window = LiveState.windows[zoomIndex + direction]
    case .history: zoomHistory(direction)
    case .histogram: zoomHistogram(direction)
    case .sync: break
    }
  }

  mutating func resetZoom() {
    switch screen {
    case .live:
      live.window = LiveState.usualWindow
      live.isAutoScaled = true
    case .history: history.span = nil
    case .histogram:
      histogram.range = .all
      // The rows are cut anew, to fit what is there.
      histogram.gridNumber += 1
    case .sync: break
    }
  }

  mutating func toggleAutoScale() {
    live.isAutoScaled.toggle()
    say(live.isAutoScaled ? "The value axis fits itself" : "The value axis stands still")
  }

  // MARK: Panes

  /// How many panes Tab goes round.
  var paneCount: Int {
    switch screen {
    case .live: LiveLayout(size: size).panes.count
    case .history: historyLayout.panes.count
    case .histogram: histogramLayout.panes.count
    case .sync: syncLayout.panes.count
    }
  }

  mutating func nextPane(_ direction: Int) {
    switch screen {
    case .live: live.pane = Self.next(live.pane, direction, in: LiveLayout(size: size).panes)
    case .history: history.pane = Self.next(history.pane, direction, in: historyLayout.panes)
    case .histogram: histogram.pane = Self.next(histogram.pane, direction, in: histogramLayout.panes)
    case .sync: sync.pane = Self.next(sync.pane, direction, in: syncLayout.panes)
    }
  }

  private static func next<Pane: Equatable>(_ pane: Pane, _ direction: Int, in panes: [Pane]) -> Pane {
    guard !panes.isEmpty else { return pane }
    let index = panes.firstIndex(of: pane) ?? 0
    return panes[(index + direction + panes.count) % panes.count]
  }

  var isMaximised: Bool {
    get {
      switch screen {
      case .live: live.isMaximised
      case .history: history.isMaximised
      case .histogram: histogram.isMaximised
      case .sync: sync.isMaximised
      }
    }
    set {
      switch screen {
      case .live: live.isMaximised = newValue
      case .history: history.isMaximised = newValue
      case .histogram: histogram.isMaximised = newValue
      case .sync: sync.isMaximised = newValue
      }
    }
  }

  package mutating func show(_ screen: Screen) {
    // Keys that came in one burst may have chosen another row, which the next screen goes by.
    if screen != self.screen { refresh() }
    if screen == .histogram, self.screen != .histogram { histogram.cameFrom = self.screen }
    self.screen = screen
    overlay = nil
    if screen == .history || screen == .histogram { resumeHistory() }
    if screen != .history { history.returnPlayhead = nil }
    // Where the tree would lie over all else, the samples come first.
    if screen == .history, !historyLayout.hasBoxes, history.pane == .tree { history.pane = .table }
  }

  mutating func toggleMouse() -> [Effect] {
    isMouseOn.toggle()
    say(isMouseOn ? "Mouse on; hold Shift to select text" : "Mouse off: select text as usual")
    return [.mouse(isMouseOn)]
  }

  // MARK: Leaving

  /// Closes what lies on top; never quits.
  mutating func close() -> [Effect] {
    if overlay != nil {
      closeOverlay()
    } else if toast != nil {
      toast = nil
    } else if screen == .history || screen == .histogram, history.work != nil {
      if history.work?.kind == .indexing, history.picture == nil { history.isGivenUp = true }
      return [.cancelWork]
    } else if screen == .history, history.selection != nil {
      clearSelection()
    } else if screen == .history, history.sampleFilter != nil {
      history.sampleFilter = nil
    } else if screen == .histogram, !histogram.look.only.isEmpty, !isMaximised {
      histogram.look.only = [:]
    } else if isMaximised {
      isMaximised = false
    } else if !filter.isEmpty {
      filter = ""
    } else if isFrozen {
      goLive()
    }
    return []
  }

  /// A line lies over the samples that it was chosen from.
  private mutating func closeOverlay() {
    if case .line(_, let query) = overlay {
      overlay = .samples(query.identity, selection: query.selection)
    } else {
      overlay = nil
    }
  }

  /// Whether something lies on top, or was gone into, that can be left.
  var canGoBack: Bool { overlay != nil || isMaximised || screen != .live }

  /// Closes what lies on top, or quits where nothing does.
  mutating func back() -> [Effect] {
    guard canGoBack else {
      wantsReceipt = true
      return [.quit]
    }
    if overlay != nil {
      closeOverlay()
    } else if isMaximised {
      isMaximised = false
    } else if screen == .history, let before = history.returnPlayhead {
      returnToHistogram(before)
    } else if screen == .history {
      leaveHistoryPane()
    } else if screen == .histogram, histogram.isFromOverview, !histogram.look.isOverview {
      (histogram.look.isOverview, histogram.isFromOverview) = (true, false)
    } else {
      show(.live)
    }
    return []
  }
}
