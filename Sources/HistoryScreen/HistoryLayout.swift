package import DashboardCore
package import TerminalUI

/// An area of the History screen.
package enum HistoryArea: ScreenArea {
  case pane(HistoryPane)
  /// A line about problems of the metric in focus, if there is room for it.
  case sentence
  case summary
}

/// The layout of the History screen: a fixed list of what is dropped, in order, as room gets short.
package struct HistoryLayout: ScreenLayout {
  package let frame: ScreenFrame
  package let places: [HistoryArea: Rect]

  /// - Parameters:
  ///   - pane: the focused pane; the tree takes all the room while it is focused and has none of its own.
  ///   - isMaximised: true if that pane takes all the room anyway.
  package init(size: Size, pane: HistoryPane = .table, isMaximised: Bool = false) {
    frame = ScreenFrame(size: size)
    let isAlone = isMaximised || !frame.step.hasBoxes && pane == .tree
    let panes = isAlone && frame.step != .tiny ? .pane(pane) : Self.table(frame.step)
    let table = frame.step <= .stacked ? .rows([.area(.sentence, .fixed(1)), panes]) : panes
    places = table.places(in: frame.body)
  }

  private static func table(_ step: LayoutStep) -> AreaTable<HistoryArea> {
    switch step {
    case .wide: columns(chart: 12, detail: .growing(5, every: 6, beyond: 32))
    case .medium: columns(chart: 10, detail: .fixed(3))
    case .stacked: stack(chart: .share(1, of: 3, atLeast: 7), detail: 3)
    case .narrow: stack(chart: .fixed(4), detail: 2)
    case .list: .rows([.pane(.table), .pane(.detail, .fixed(2))])
    case .tiny: .rows([])
    }
  }

  private static func columns(chart: Int, detail: Constraint) -> AreaTable<HistoryArea> {
    .columns([
      .pane(.tree, .share(28, of: 100, atLeast: 30, atMost: 60)),
      .rows([
        .pane(.chart, .share(42, of: 100, atLeast: chart)), .pane(.table), .pane(.detail, detail),
      ]),
    ])
  }

  private static func stack(chart: Constraint, detail: Int) -> AreaTable<HistoryArea> {
    .rows([
      .area(.summary, .fixed(1)), .pane(.chart, chart), .pane(.table), .pane(.detail, .fixed(detail)),
    ])
  }

  /// The panes Tab moves through; the tree is always one of them.
  package var panes: [HistoryPane] {
    guard step != .tiny else { return [.tree, .table] }
    let all = HistoryLayout(size: frame.size)
    return HistoryPane.allCases.filter { pane in
      switch pane {
      case .tree: true
      case .detail: all.hasBoxes
      case .chart, .table: !all[pane].isEmpty
      }
    }
  }

  /// The area of the curve, including axis and time line.
  var plotArea: Rect { inner(of: self[.chart]) }

  /// Columns of the value axis, without its line.
  var gutter: Int { step <= .medium ? 7 : 6 }

  /// Number of points in the curve: two per cell for a curve, one for a sparkline.
  package var chartColumns: Int {
    switch step {
    case .tiny, .list: max(8, frame.size.width)
    case .wide, .medium, .stacked, .narrow:
      self[.chart].isEmpty ? max(8, frame.size.width) : max(8, (plotArea.width - gutter - 1) * 2)
    }
  }

  /// The table with its header, if it has one.
  var tableArea: Rect { inner(of: self[.table]) }

  /// True if the table's columns have titles.
  var hasTableHeader: Bool { step < .list }

  /// Number of visible rows in the table.
  package var tableRows: Int {
    step == .tiny ? 1 : max(0, tableArea.height - (hasTableHeader ? 1 : 0))
  }

  /// The areas of the tree rows, and below them of the list of views and marks.
  ///
  /// - Parameter notes: number of rows in that list, including its titles.
  func treeParts(notes: Int) -> (tree: Rect, rule: Rect, notes: Rect) {
    let inner = inner(of: self[.tree]).inset(top: hasBoxes ? 0 : 1)
    let room = min(notes, inner.height / 3)
    guard room > 1 else { return (inner, Rect(size: .zero), Rect(size: .zero)) }
    let rows = inner.rows([.fill(1), .fixed(1), .fixed(room)])
    return (rows[0], rows[1], rows[2])
  }
}
