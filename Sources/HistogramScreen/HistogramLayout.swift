package import DashboardCore
package import TerminalUI

/// An area of the Histogram screen.
package enum HistogramArea: ScreenArea {
  case pane(HistogramPane)
  /// The sentence, where it has a row of its own.
  case verdict
  /// Groups and versions in a line each, where they have no panes.
  case lines
}

/// Where everything stands on the Histogram screen: the fixed list of what goes, in order, as room gets short.
package struct HistogramLayout: ScreenLayout {
  package let frame: ScreenFrame
  /// The pane that fills all the space; `nil` for none.
  package let alone: HistogramPane?
  package private(set) var places: [HistogramArea: Rect]
  /// Panes without content, which keep a title with the reason.
  private let empty: Set<HistogramPane>
  /// Number of rows of a histogram, regardless of the focused pane.
  package private(set) var binRows = 0
  /// Columns and rows of the histogram over time.
  package private(set) var courseSize = Size(width: 0, height: 0)

  /// - Parameters:
  ///   - pane: The focused pane; it fills all the space if it has none of its own.
  ///   - isMaximised: True if that pane fills all the space anyway.
  ///   - empty: Panes without content.
  package init(
    size: Size, pane: HistogramPane = .bins, isMaximised: Bool = false,
    empty: Set<HistogramPane> = []
  ) {
    frame = ScreenFrame(size: size)
    self.empty = empty
    let needsAll = !frame.step.hasBoxes && frame.step != .tiny && pane != .bins
    alone = frame.step != .tiny && (isMaximised || needsAll) ? pane : nil
    let panes = Self.table(frame.step, height: frame.body.height - 1, empty: empty)
    let table = frame.step.hasBoxes ? .rows([.area(.verdict, .fixed(1)), panes]) : panes
    places = table.places(in: frame.body)
    binRows = rows(inBins: alone == .bins ? frame.body : self[.bins])
    let course = inner(of: self[.course].isEmpty || alone == .course ? frame.body : self[.course])
    courseSize = Size(
      width: max(0, course.width - Self.courseMargin), height: course.height - Self.courseAxis(course.height))
    if let alone { places = [.pane(alone): frame.body] }
  }

  private static func table(
    _ step: LayoutStep, height: Int, empty: Set<HistogramPane>
  ) -> AreaTable<HistogramArea> {
    let hasVersions = !empty.contains(.versions)
    switch step {
    case .wide:
      let isTall = height >= 60
      let foot = empty.contains(.split) ? 1 : isTall ? 15 : 5
      return .rows([
        top, middle((isTall ? 15 : 7) + (hasVersions ? 0 : 1), hasVersions), .pane(.split, .fixed(foot)),
      ])
    case .medium: return .rows([top, middle(hasVersions ? 7 : 8, hasVersions)])
    case .stacked:
      return .rows([
        .pane(.bins), .pane(.figures, .fixed(5)), .area(.verdict, .fixed(1)), .area(.lines, .fixed(3)),
      ])
    case .narrow, .list:
      return .rows([.pane(.bins), .pane(.figures, .fixed(3)), .area(.verdict, .fixed(1))])
    case .tiny: return .pane(.bins)
    }
  }

  private static var top: AreaTable<HistogramArea> {
    .columns([.pane(.bins), .pane(.figures, .share(35, of: 100, atLeast: 40, atMost: 72))])
  }

  /// The histogram through time beside the versions, or above the reason why there are none.
  private static func middle(_ height: Int, _ hasVersions: Bool) -> AreaTable<HistogramArea> {
    guard hasVersions else { return .rows([.pane(.course), .pane(.versions, .fixed(1))], .fixed(height)) }
    return .columns([.pane(.versions, .fraction(0.48)), .pane(.course)], .fixed(height))
  }

  /// Columns for the values beside the histogram through time.
  static let courseMargin = 8
  /// The row of times below it, if there are enough other rows.
  static func courseAxis(_ height: Int) -> Int { height >= 4 ? 1 : 0 }
  /// Rows of the shapes under the bins: a rule, the axis, A, B and their difference.
  static let shapeRows = 5

  /// The inside of a pane: of its box, or under its rule.
  package func inner(of rect: Rect) -> Rect {
    guard !rect.isEmpty else { return rect }
    if hasBoxes { return rect.inset(left: 1, top: 1, right: 1) }
    return rect == self[.bins] && step >= .stacked || step == .tiny ? rect : rect.inset(top: 1)
  }

  /// True if the shapes of both sides stand under the bins.
  var hasShapes: Bool { hasBoxes && inner(of: self[.bins]).height >= 16 }

  /// True if the bins have a row of titles.
  var hasBinTitles: Bool { step <= .narrow }

  private func rows(inBins area: Rect) -> Int {
    let height = inner(of: area).height
    let shapes = hasBoxes && height >= 16 ? Self.shapeRows : 0
    return max(3, height - shapes - (hasBinTitles ? 1 : 0))
  }

  /// The panes in Tab order.
  package var panes: [HistogramPane] {
    guard step != .tiny else { return [] }
    guard hasBoxes, alone == nil else { return Self.order }
    return Self.order.filter { !self[$0].isEmpty && !empty.contains($0) }
  }

  private static let order: [HistogramPane] = [.bins, .figures, .versions, .course, .split]

  /// Rows of the list of a pane.
  func listRows(of pane: HistogramPane) -> Int {
    let inside = inner(of: self[pane]).height
    switch pane {
    case .bins: return binRows
    case .split: return max(1, inside - 1)
    case .figures, .versions, .course: return max(1, inside)
    }
  }
}
