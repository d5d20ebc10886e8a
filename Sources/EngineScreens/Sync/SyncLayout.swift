package import DashboardCore
package import TerminalUI

/// A pane of the Sync screen that the keys can act in.
package enum SyncPane: Hashable, Sendable {
  case decisions, engine, queue, faults, branches, runs

  /// All but the engine's.
  static let besideEngine: [SyncPane] = [.decisions, .queue, .faults, .branches, .runs]
}

/// Where everything stands on the Sync screen: the fixed list of what goes, in order, as room gets short.
package struct SyncLayout: EngineLayout, Hashable, Sendable {
  /// Content to show besides an engine.
  package struct Needs: Hashable, Sendable {
    package var controls = EngineControls.none
    /// True if there are two branches to compare.
    package var hasBranches = false
    /// The pane that has all the room.
    package var maximised: SyncPane?
    /// True if all about an entry is shown.
    package var isOpen = false
    /// How many rows the sentence takes.
    package var sentence = 1
    /// How many rows the story of the scenario takes.
    package var story = 0

    package init() {}
  }

  package let frame: ScreenFrame
  package let needs: Needs
  package private(set) var sentence = Rect(size: .zero)
  package private(set) var story = Rect(size: .zero)
  package private(set) var engine = Rect(size: .zero)
  package private(set) var breaker = Rect(size: .zero)
  package private(set) var queue = Rect(size: .zero)
  package private(set) var faults = Rect(size: .zero)
  package private(set) var transitions = Rect(size: .zero)
  /// All about an entry.
  package private(set) var detail = Rect(size: .zero)
  package private(set) var branches = Rect(size: .zero)
  package private(set) var runs = Rect(size: .zero)

  package init(size: Size, needs: Needs = Needs()) {
    frame = ScreenFrame(size: size)
    self.needs = needs
    let top = max(1, min(needs.sentence, max(1, frame.body.height - 1)))
    let told = max(0, min(needs.story, frame.body.height - top - 1))
    let parts = frame.body.rows([.fixed(top), .fixed(told), .fill(1)])
    (sentence, story) = (parts[0], parts[1])
    let body = parts[2]
    if let pane = needs.maximised, frame.step <= .stacked {
      if pane == .decisions, needs.isOpen { detail = body } else { place(pane, in: body) }
      return
    }
    switch frame.step {
    case .wide:
      // The keys of the faults need their rows; without them the timeline has more use for some.
      let middle = body.height >= 60 ? 19 : needs.controls == .driven || body.height >= 42 ? 9 : 6
      placeBoxes(in: body, heights: (14, middle))
    case .medium: placeBoxes(in: body, heights: (12, 6))
    case .stacked:
      let faultRows = needs.controls == .driven ? 6 : needs.controls == .recorded ? 4 : 0
      // A timeline is a rule and two entries at least: breaker and queue have rows for it.
      let branchRows = needs.hasBranches ? 1 : 0
      let middleRows = min(5, max(3, body.height - 8 - faultRows - branchRows))
      let rows = body.rows([
        .fixed(5), .fixed(middleRows), .fixed(faultRows), .fill(1), .fixed(branchRows),
      ])
      let middle = rows[1].columns([.fill(1), .fill(1)], spacing: 1)
      (engine, breaker, queue, faults) = (rows[0], middle[0], middle[1], rows[2])
      (transitions, branches) = (rows[3], rows[4])
      if needs.isOpen { open(below: engine, in: body) }
    case .narrow, .list:
      let faultRows = needs.controls == .none ? 0 : 1
      let rows = body.rows([
        .fixed(frame.step == .narrow ? 4 : 3), .fixed(1), .fixed(1), .fixed(faultRows), .fill(1),
      ])
      (engine, breaker, queue, faults, transitions) = (rows[0], rows[1], rows[2], rows[3], rows[4])
      if needs.isOpen { open(below: engine, in: body) }
    case .tiny: if needs.isOpen { detail = body } else { engine = body }
    }
  }

  /// Gives all about an entry what is below the engine: where room is short it is what the person asked for.
  private mutating func open(below engine: Rect, in body: Rect) {
    detail = body.inset(top: engine.height)
    for pane in SyncPane.besideEngine { place(pane, in: Rect(size: .zero)) }
    breaker = Rect(size: .zero)
  }

  private mutating func place(_ pane: SyncPane, in area: Rect) {
    switch pane {
    case .decisions: transitions = area
    case .engine: engine = area
    case .queue: queue = area
    case .faults: faults = area
    case .branches: branches = area
    case .runs: runs = area
    }
  }

  private mutating func placeBoxes(in body: Rect, heights: (Int, Int)) {
    let rows = body.rows([.fixed(heights.0), .fixed(heights.1), .fill(1)])
    let wide = Constraint.fixed(body.width * 63 / 100)
    let top = rows[0].columns([wide, .fill(1)])
    // Without faults to show, their room goes to the queue.
    let middle =
      needs.controls == .none ? [rows[1], Rect(size: .zero)] : rows[1].columns([.fill(1), .fill(1)])
    let bottom = rows[2].columns([wide, .fill(1)])
    (engine, breaker, queue, faults) = (top[0], top[1], middle[0], middle[1])
    if needs.isOpen, body.width < 160 { return detail = rows[2] }
    transitions = bottom[0]
    if needs.isOpen { return detail = bottom[1] }
    guard needs.hasBranches else { return runs = bottom[1] }
    // Where room is short, the comparison is what the person asked for.
    guard bottom[1].height >= 20 else { return branches = bottom[1] }
    let halves = bottom[1].rows([.fill(1), .fill(1)])
    (branches, runs) = (halves[0], halves[1])
  }

  package var controls: EngineControls { needs.controls }

  /// Panes that Tab cycles through.
  package var panes: [SyncPane] {
    guard needs.maximised == nil else { return Self.order }
    if step == .narrow || step == .list {
      return needs.controls == .driven ? [.decisions, .faults] : [.decisions]
    }
    return Self.order.filter { rect(of: $0).height > 1 }
  }

  private static let order: [SyncPane] = [.decisions, .faults, .queue, .engine, .branches, .runs]

  /// Where a pane is.
  package func rect(of pane: SyncPane) -> Rect {
    switch pane {
    case .decisions: transitions.isEmpty ? detail : transitions
    case .engine: engine
    case .queue: queue
    case .faults: faults
    case .branches: branches
    case .runs: runs
    }
  }

  /// The rows of the timeline.
  var timelineList: Rect { step == .narrow || step == .list ? transitions : inner(of: transitions) }
  var timelineRows: Int { max(1, timelineList.height) }
}
