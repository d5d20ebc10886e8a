package import DashboardCore
package import TerminalUI

/// A pane of an engine's screen that the keys can act in, with the table of where it stands.
package protocol EnginePane: Hashable, Sendable {
  typealias Areas = AreaTable<EngineArea<Self>>

  static var timeline: Self { get }
  static var faults: Self { get }
  static var branches: Self { get }
  /// All panes, in the order of Tab.
  static var order: [Self] { get }

  /// Everything below the sentence and the story, as room gets short.
  ///
  /// - Parameter room: what they have together.
  static func table(of needs: EngineNeeds<Self>, in frame: ScreenFrame, room: Size) -> Areas
  /// True if Tab stops there.
  func isOffered(in layout: EngineLayout<Self>) -> Bool
}

/// An area of an engine's screen.
package enum EngineArea<Pane: EnginePane>: ScreenArea {
  case pane(Pane)
  case sentence
  /// The story of the scenario.
  case story
  case breaker
  /// Facts in boxes, where there is room for them.
  case card(Int)
  /// The same as lines.
  case lines
  /// All about an entry.
  case detail
}

/// Content to show besides an engine.
package struct EngineNeeds<Pane: EnginePane>: Hashable, Sendable {
  package var controls = EngineControls.none
  /// True if there are two branches to compare.
  package var hasBranches = false
  /// The pane that has all the room.
  package var maximised: Pane?
  /// True if all about an entry is shown.
  package var isOpen = false
  /// How many faults were ever set.
  package var faults = 0
  /// How many rows the sentence takes.
  package var sentence = 1
  /// How many rows the story of the scenario takes.
  package var story = 0
}

/// Where everything stands on an engine's screen: the fixed list of what goes, in order, as room gets short.
package struct EngineLayout<Pane: EnginePane>: ScreenLayout {
  package let frame: ScreenFrame
  package let needs: EngineNeeds<Pane>
  package let places: [EngineArea<Pane>: Rect]

  package init(size: Size, needs: EngineNeeds<Pane> = EngineNeeds()) {
    frame = ScreenFrame(size: size)
    self.needs = needs
    let body = frame.body
    let top = max(1, min(needs.sentence, max(1, body.height - 1)))
    let told = max(0, min(needs.story, body.height - top - 1))
    let panes = Pane.table(of: needs, in: frame, room: body.inset(top: top + told).size)
    places = AreaTable.rows([.area(.sentence, .fixed(top)), .area(.story, .fixed(told)), panes])
      .places(in: body)
  }

  package var controls: EngineControls { needs.controls }

  /// Panes that Tab cycles through.
  package var panes: [Pane] { Pane.order.filter { $0.isOffered(in: self) } }

  /// Where a pane is for a click: the timeline is where all about its entry is shown, too.
  package func rect(of pane: Pane) -> Rect {
    pane == .timeline && self[pane].isEmpty ? self[.detail] : self[pane]
  }

  /// The pane at a position.
  func pane(at position: Position) -> Pane? { panes.first { rect(of: $0).contains(position) } }

  /// The inside of a pane: of its box, or under its rule where it has one.
  func inner(of rect: Rect) -> Rect {
    guard !rect.isEmpty else { return rect }
    if hasBoxes { return rect.inset(left: 2, top: 1, right: 1) }
    return step == .stacked && rect.height > 1 ? rect.inset(top: 1) : rect
  }

  /// The rows of the timeline.
  var timelineList: Rect { inner(of: self[.timeline]) }
  var timelineRows: Int { max(1, timelineList.height) }
}
