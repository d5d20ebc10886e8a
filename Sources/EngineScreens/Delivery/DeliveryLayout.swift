package import DashboardCore
package import TerminalUI

/// A pane of the Delivery screen that the keys can act in.
package enum DeliveryPane: Hashable, Sendable {
  case timeline, faults, branches
}

/// Where everything stands on the Delivery screen: the fixed list of what goes, in order, as room gets short.
package struct DeliveryLayout: EngineLayout, Hashable, Sendable {
  /// Content to show besides a client.
  package struct Needs: Hashable, Sendable {
    package var controls = EngineControls.none
    /// True if there are two branches to compare.
    package var hasBranches = false
    /// The pane that has all the room.
    package var maximised: DeliveryPane?
    /// True if all about an entry is shown.
    package var isOpen = false
    /// How many faults were ever set.
    package var faults = 0
    /// How many rows the sentence takes.
    package var sentence = 1

    package init() {}
  }

  package let frame: ScreenFrame
  package let needs: Needs
  package private(set) var sentence = Rect(size: .zero)
  /// The cards in two rows, where there is room for them.
  package private(set) var cards: [Rect] = []
  /// The same as lines.
  package private(set) var lines = Rect(size: .zero)
  package private(set) var faults = Rect(size: .zero)
  package private(set) var branches = Rect(size: .zero)
  package private(set) var timeline = Rect(size: .zero)
  /// All about an entry.
  package private(set) var detail = Rect(size: .zero)

  package init(size: Size, needs: Needs = Needs()) {
    frame = ScreenFrame(size: size)
    self.needs = needs
    let body = frame.body
    let top = max(1, min(needs.sentence, max(1, body.height - 1)))
    let rows = body.rows([.fixed(top), .fill(1)])
    sentence = rows[0]
    let rest = rows[1]
    if let pane = needs.maximised, frame.step <= .stacked {
      place(pane, in: rest)
      return
    }
    switch frame.step {
    case .wide, .medium: placeBoxes(in: rest)
    case .stacked:
      let faultRows = needs.controls == .recorded ? 2 + min(3, (needs.faults + 2) / 3) : 6
      placeLines(in: rest, lines: 5, faults: needs.controls == .none ? 0 : faultRows)
    case .narrow:
      placeLines(in: rest, lines: rest.height >= 12 ? 4 : 3, faults: needs.controls == .none ? 0 : 1)
    case .list: placeLines(in: rest, lines: 2, faults: needs.controls == .driven ? 1 : 0)
    case .tiny: placeTimeline(in: rest)
    }
  }

  private mutating func place(_ pane: DeliveryPane, in area: Rect) {
    switch pane {
    case .timeline: placeTimeline(in: area)
    case .faults: faults = area
    case .branches: branches = area
    }
  }

  /// Cards in two rows, what drives under them, then what happened.
  private mutating func placeBoxes(in area: Rect) {
    let height = frame.step == .wide ? 6 : 5
    let rows = area.rows([.fixed(height), .fixed(height), .fixed(driveRows), .fill(1)])
    cards =
      rows[0].columns([.fill(1), .fill(1), .fill(1)]) + rows[1].columns([.fill(1), .fill(1), .fill(1)])
    if needs.hasBranches {
      let halves = rows[2].columns([.fill(1), .fill(1)])
      if needs.controls == .none { branches = rows[2] } else { (faults, branches) = (halves[0], halves[1]) }
    } else if needs.controls != .none {
      faults = rows[2]
    }
    placeTimeline(in: rows[3])
  }

  /// The rows of faults and branches: no more than they have to say.
  private var driveRows: Int {
    if needs.hasBranches { return frame.size.height >= 60 ? 13 : 7 }
    switch needs.controls {
    case .none: return 0
    case .recorded: return 2 + min(4, (needs.faults + 3) / 4)
    case .driven: return frame.size.height >= 60 ? 7 : 6
    }
  }

  private mutating func placeLines(in area: Rect, lines count: Int, faults faultRows: Int) {
    let rows = area.rows([
      .fixed(count), .fixed(faultRows), .fixed(needs.hasBranches && frame.step <= .narrow ? 1 : 0), .fill(1),
    ])
    (lines, faults, branches) = (rows[0], rows[1], rows[2])
    placeTimeline(in: rows[3])
  }

  /// Places the timeline; beside it, or in its place, all about an entry.
  private mutating func placeTimeline(in area: Rect) {
    guard needs.isOpen else { return timeline = area }
    guard frame.size.width >= 160 else { return detail = area }
    let halves = area.columns([.fill(1), .fill(1)])
    (timeline, detail) = (halves[0], halves[1])
  }

  package var controls: EngineControls { needs.controls }

  /// Panes that Tab cycles through.
  package var panes: [DeliveryPane] {
    guard needs.maximised == nil else { return offered }
    return offered.filter { $0 == .timeline || !rect(of: $0).isEmpty }
  }

  private var offered: [DeliveryPane] {
    var panes: [DeliveryPane] = [.timeline]
    if needs.controls != .none { panes.append(.faults) }
    if needs.hasBranches { panes.append(.branches) }
    return panes
  }

  /// Where a pane is.
  package func rect(of pane: DeliveryPane) -> Rect {
    switch pane {
    case .timeline: timeline.isEmpty ? detail : timeline
    case .faults: faults
    case .branches: branches
    }
  }

  /// The rows of the timeline.
  var timelineList: Rect { inner(of: timeline) }
  var timelineRows: Int { max(1, timelineList.height) }
}
