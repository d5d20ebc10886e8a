package import TerminalUI

/// Where everything stands on the Sync screen: the fixed list of what goes, in order, as room gets short.
package struct SyncLayout: Hashable, Sendable {
  package let frame: ScreenFrame
  package private(set) var engine = Rect(size: .zero)
  package private(set) var breaker = Rect(size: .zero)
  package private(set) var queue = Rect(size: .zero)
  package private(set) var faults = Rect(size: .zero)
  package private(set) var transitions = Rect(size: .zero)
  package private(set) var runs = Rect(size: .zero)

  /// - Parameter hasFaults: whether faults were ever set; only simulations set them.
  package init(size: Size, hasFaults: Bool) {
    frame = ScreenFrame(size: size)
    let body = frame.body
    switch frame.step {
    case .wide: placeBoxes(in: body, heights: (15, 9), hasFaults: hasFaults)
    case .medium: placeBoxes(in: body, heights: (13, 7), hasFaults: hasFaults)
    case .stacked:
      let rows = body.rows([.fixed(5), .fixed(5), .fixed(hasFaults ? 4 : 0), .fill(1)])
      let middle = rows[1].columns([.fill(1), .fill(1)], spacing: 1)
      (engine, breaker, queue, faults, transitions) = (rows[0], middle[0], middle[1], rows[2], rows[3])
    case .narrow:
      let rows = body.rows([.fixed(4), .fixed(1), .fixed(1), .fixed(hasFaults ? 1 : 0), .fill(1)])
      (engine, breaker, queue, faults, transitions) = (rows[0], rows[1], rows[2], rows[3], rows[4])
    case .list:
      let rows = body.rows([.fixed(3), .fixed(1), .fixed(1), .fixed(hasFaults ? 1 : 0), .fill(1)])
      (engine, breaker, queue, faults, transitions) = (rows[0], rows[1], rows[2], rows[3], rows[4])
    case .tiny: engine = body
    }
  }

  private mutating func placeBoxes(in body: Rect, heights: (Int, Int), hasFaults: Bool) {
    let rows = body.rows([.fixed(heights.0), .fixed(heights.1), .fill(1)])
    let wide = Constraint.fixed(body.width * 63 / 100)
    let top = rows[0].columns([wide, .fill(1)])
    let bottom = rows[2].columns([wide, .fill(1)])
    (engine, breaker, transitions, runs) = (top[0], top[1], bottom[0], bottom[1])
    guard hasFaults else { return queue = rows[1] }
    let middle = rows[1].columns([.fill(1), .fill(1)])
    (queue, faults) = (middle[0], middle[1])
  }

  package var step: LayoutStep { frame.step }
  package var hasBoxes: Bool { step.hasBoxes }

  /// The inside of a pane: of its box, or under its rule where it has one.
  func inner(of rect: Rect) -> Rect {
    guard !rect.isEmpty else { return rect }
    if hasBoxes { return rect.inset(left: 2, top: 1, right: 2, bottom: 1) }
    return step == .stacked ? rect.inset(top: 1) : rect
  }

  /// The rows of the decisions.
  var transitionList: Rect { step == .narrow || step == .list ? transitions : inner(of: transitions) }
  var transitionRows: Int { transitionList.height }
}
