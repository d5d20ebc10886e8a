package import DashboardCore
package import TerminalUI

/// A focusable pane of an engine's screen, and the table of its layout.
package protocol EnginePane: Hashable, Sendable {
  typealias Areas = AreaTable<EngineArea<Self>>

  static var timeline: Self { get }
  static var faults: Self { get }
  static var branches: Self { get }
  /// All panes, in Tab order.
  static var order: [Self] { get }

  /// The layout of everything below the sentence and the story, depending on the space.
  ///
  /// - Parameter room: The space for all of it.
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
  /// Facts in boxes, if they fit.
  case card(Int)
  /// The facts as lines.
  case lines
  /// The details of an entry.
  case detail
}

/// The content to show on an engine's screen.
package struct EngineNeeds<Pane: EnginePane>: Hashable, Sendable {
  package var controls = EngineControls.none
  /// True if there are two branches to compare.
  package var hasBranches = false
  /// The pane that fills all the space.
  package var maximised: Pane?
  /// True if the details of an entry are shown.
  package var isOpen = false
  /// Number of faults ever set.
  package var faults = 0
  /// Number of rows of the sentence.
  package var sentence = 1
  /// Number of rows of the scenario's story.
  package var story = 0
}

/// The layout of an engine's screen: the fixed order in which elements are dropped as space gets short.
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

  /// Panes in Tab order.
  package var panes: [Pane] { Pane.order.filter { $0.isOffered(in: self) } }

  /// The clickable area of a pane: for the timeline, also the details of its entry.
  package func rect(of pane: Pane) -> Rect {
    pane == .timeline && self[pane].isEmpty ? self[.detail] : self[pane]
  }

  /// The pane at a position.
  func pane(at position: Position) -> Pane? { panes.first { rect(of: $0).contains(position) } }

  /// The inside of a pane: within its box, or below its rule if it has one.
  func inner(of rect: Rect) -> Rect {
    guard !rect.isEmpty else { return rect }
    if hasBoxes { return rect.inset(left: 2, top: 1, right: 1) }
    return step == .stacked && rect.height > 1 ? rect.inset(top: 1) : rect
  }

  /// The rows of the timeline.
  var timelineList: Rect { inner(of: self[.timeline]) }
  var timelineRows: Int { max(1, timelineList.height) }
}
