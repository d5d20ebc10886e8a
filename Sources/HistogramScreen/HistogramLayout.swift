package import DashboardCore
package import TerminalUI

/// Where everything stands on the Histogram screen: the fixed list of what goes, in order, as room gets short.
package struct HistogramLayout: Hashable, Sendable {
  package let frame: ScreenFrame
  /// The pane that has all the room, where one has.
  package let alone: HistogramPane?
  package private(set) var bins = Rect(size: .zero)
  package private(set) var figures = Rect(size: .zero)
  package private(set) var versions = Rect(size: .zero)
  package private(set) var course = Rect(size: .zero)
  package private(set) var split = Rect(size: .zero)
  /// The sentence, where it has a row of its own.
  package private(set) var verdict = Rect(size: .zero)
  /// Groups and versions in a line each, where they have no panes.
  package private(set) var lines = Rect(size: .zero)
  /// Panes without content, which keep a title with the reason.
  private let empty: Set<HistogramPane>
  /// How many rows a histogram is cut into, whatever pane is in front.
  package private(set) var binRows = 0
  /// Columns and rows of the histogram through time.
  package private(set) var courseSize = Size(width: 0, height: 0)

  /// - Parameters:
  ///   - pane: the pane with the keys; it takes the whole room where it has none of its own.
  ///   - isMaximised: whether that pane takes the whole room anyway.
  ///   - empty: panes that have nothing to say.
  package init(
    size: Size, pane: HistogramPane = .bins, isMaximised: Bool = false,
    empty: Set<HistogramPane> = []
  ) {
    frame = ScreenFrame(size: size)
    self.empty = empty
    let needsAll = !frame.step.hasBoxes && frame.step != .tiny && pane != .bins
    alone = frame.step != .tiny && (isMaximised || needsAll) ? pane : nil
    place()
    binRows = rows(inBins: alone == .bins ? frame.body : bins)
    let courseArea = inner(of: course.isEmpty || alone == .course ? frame.body : course)
    courseSize = Size(
      width: max(0, courseArea.width - Self.courseMargin),
      height: courseArea.height - Self.courseAxis(courseArea.height))
    guard let alone else { return }
    (bins, figures, versions, course, split) = (Self.none, Self.none, Self.none, Self.none, Self.none)
    (verdict, lines) = (Self.none, Self.none)
    switch alone {
    case .bins: bins = frame.body
    case .figures: figures = frame.body
    case .versions: versions = frame.body
    case .course: course = frame.body
    case .split: split = frame.body
    }
  }

  private static let none = Rect(size: .zero)

  private mutating func place() {
    var body = frame.body
    if hasBoxes {
      let rows = body.rows([.fixed(1), .fill(1)])
      (verdict, body) = (rows[0], rows[1])
    }
    switch step {
    case .wide:
      let isTall = body.height >= 60
      let (middle, foot) = (isTall ? 15 : 7, empty.contains(.split) ? 1 : isTall ? 15 : 5)
      let parts = body.rows([.fill(1), .fixed(middle + (empty.contains(.versions) ? 1 : 0)), .fixed(foot)])
      placeTop(parts[0])
      placeMiddle(parts[1])
      split = parts[2]
    case .medium:
      let parts = body.rows([.fill(1), .fixed(empty.contains(.versions) ? 8 : 7)])
      placeTop(parts[0])
      placeMiddle(parts[1])
    case .stacked:
      let parts = body.rows([.fill(1), .fixed(5), .fixed(1), .fixed(3)])
      (bins, figures, verdict, lines) = (parts[0], parts[1], parts[2], parts[3])
    case .narrow, .list:
      let parts = body.rows([.fill(1), .fixed(3), .fixed(1)])
      (bins, figures, verdict) = (parts[0], parts[1], parts[2])
    case .tiny: bins = body
    }
  }

  private mutating func placeTop(_ area: Rect) {
    let columns = area.columns([.fill(1), .fixed(min(72, max(40, area.width * 35 / 100)))])
    (bins, figures) = (columns[0], columns[1])
  }

  private mutating func placeMiddle(_ area: Rect) {
    if empty.contains(.versions) {
      let rows = area.rows([.fill(1), .fixed(1)])
      return (course, versions) = (rows[0], rows[1])
    }
    let columns = area.columns([.fraction(0.48), .fill(1)])
    (versions, course) = (columns[0], columns[1])
  }

  package var step: LayoutStep { frame.step }
  package var hasBoxes: Bool { step.hasBoxes }

  /// Columns for the values beside the histogram through time.
  static let courseMargin = 8
  /// The row below it with the times, where there are enough others.
  static func courseAxis(_ height: Int) -> Int { height >= 4 ? 1 : 0 }
  /// Rows of the shapes under the bins: a rule, the axis, A, B and their difference.
  static let shapeRows = 5

  /// The inside of a pane: of its box, or under its rule.
  func inner(of rect: Rect) -> Rect {
    guard !rect.isEmpty else { return rect }
    if hasBoxes { return rect.inset(left: 1, top: 1, right: 1) }
    return rect == bins && step >= .stacked || step == .tiny ? rect : rect.inset(top: 1)
  }

  /// True if the shapes of both sides stand under the bins.
  var hasShapes: Bool { hasBoxes && inner(of: bins).height >= 16 }

  /// True if the bins have a row of titles.
  var hasBinTitles: Bool { step <= .narrow }

  private func rows(inBins area: Rect) -> Int {
    let height = inner(of: area).height
    let shapes = hasBoxes && height >= 16 ? Self.shapeRows : 0
    return max(3, height - shapes - (hasBinTitles ? 1 : 0))
  }

  /// Panes that Tab cycles through.
  package var panes: [HistogramPane] {
    guard step != .tiny else { return [] }
    guard hasBoxes, alone == nil else { return Self.order }
    return Self.order.filter { !rect(of: $0).isEmpty && !empty.contains($0) }
  }

  private static let order: [HistogramPane] = [.bins, .figures, .versions, .course, .split]

  /// Where a pane is.
  package func rect(of pane: HistogramPane) -> Rect {
    switch pane {
    case .bins: bins
    case .figures: figures
    case .versions: versions
    case .course: course
    case .split: split
    }
  }

  /// Rows of the list of a pane.
  func listRows(of pane: HistogramPane) -> Int {
    let inside = inner(of: rect(of: pane)).height
    switch pane {
    case .bins: return binRows
    case .split: return max(1, inside - 1)
    case .figures, .versions, .course: return max(1, inside)
    }
  }
}
