package import DashboardCore
package import TerminalUI

/// Where everything stands on the History screen: the fixed list of what goes, in order, as room gets short.
package struct HistoryLayout: Hashable, Sendable {
  package let frame: ScreenFrame
  /// The area of a line on what is wrong with the metric in focus, where there is room for it.
  package private(set) var sentence = Rect(size: .zero)
  package private(set) var tree = Rect(size: .zero)
  package private(set) var summary = Rect(size: .zero)
  package private(set) var chart = Rect(size: .zero)
  package private(set) var table = Rect(size: .zero)
  package private(set) var detail = Rect(size: .zero)

  /// - Parameters:
  ///   - pane: the pane with the keys; the tree takes the whole room while it has them and has none of its own.
  ///   - isMaximised: whether that pane takes the whole room anyway.
  package init(size: Size, pane: HistoryPane = .table, isMaximised: Bool = false) {
    frame = ScreenFrame(size: size)
    guard step != .tiny else { return }
    var body = frame.body
    if step <= .stacked {
      let rows = body.rows([.fixed(1), .fill(1)])
      (sentence, body) = Self.pair(rows)
    }
    if isMaximised || !step.hasBoxes && pane == .tree {
      place(pane, in: body)
      return
    }
    switch step {
    case .wide, .medium: placeColumns(in: body)
    case .stacked: placeStack(in: body, chart: max(7, body.height / 3), detail: 3)
    case .narrow: placeStack(in: body, chart: 4, detail: 2)
    case .list, .tiny: (table, detail) = Self.pair(body.rows([.fill(1), .fixed(2)]))
    }
  }

  package var step: LayoutStep { frame.step }
  package var hasBoxes: Bool { step.hasBoxes }

  private static func pair(_ rects: [Rect]) -> (Rect, Rect) { (rects[0], rects[1]) }

  private mutating func place(_ pane: HistoryPane, in body: Rect) {
    switch pane {
    case .tree: tree = body
    case .chart: chart = body
    case .table: table = body
    case .detail: detail = body
    }
  }

  private mutating func placeColumns(in body: Rect) {
    let columns = body.columns([.fixed(max(30, min(60, body.width * 28 / 100))), .fill(1)])
    tree = columns[0]
    let detailHeight = step == .wide ? 5 + max(0, body.height - 32) / 6 : 3
    let chartHeight = max(step == .wide ? 12 : 10, body.height * 42 / 100)
    let rows = columns[1].rows([.fixed(chartHeight), .fill(1), .fixed(detailHeight)])
    (chart, table, detail) = (rows[0], rows[1], rows[2])
  }

  private mutating func placeStack(in body: Rect, chart chartHeight: Int, detail detailHeight: Int) {
    let rows = body.rows([.fixed(1), .fixed(chartHeight), .fill(1), .fixed(detailHeight)])
    (summary, chart, table, detail) = (rows[0], rows[1], rows[2], rows[3])
  }

  /// The panes that Tab goes round: the tree is always one of them.
  package var panes: [HistoryPane] {
    guard step != .tiny else { return [.tree, .table] }
    let all = HistoryLayout(size: frame.size)
    return HistoryPane.allCases.filter { pane in
      switch pane {
      case .tree: true
      case .detail: all.hasBoxes
      case .chart, .table: !all.rect(of: pane).isEmpty
      }
    }
  }

  /// Where a pane stands; empty when it does not.
  package func rect(of pane: HistoryPane) -> Rect {
    switch pane {
    case .tree: return tree
    case .chart: return chart
    case .table: return table
    case .detail: return detail
    }
  }

  /// The inside of a pane.
  func inner(of rect: Rect) -> Rect {
    guard !rect.isEmpty, hasBoxes else { return rect }
    return rect.inset(left: 1, top: 1, right: 1)
  }

  /// Where the curve itself goes, axis and time line included.
  var plotArea: Rect { inner(of: chart) }

  /// Columns that the value axis takes, without its line.
  var gutter: Int { step <= .medium ? 7 : 6 }

  /// Points of the curve: two a cell where there is a curve, one where a spark stands for it.
  package var chartColumns: Int {
    switch step {
    case .tiny, .list: max(8, frame.size.width)
    case .wide, .medium, .stacked, .narrow:
      chart.isEmpty ? max(8, frame.size.width) : max(8, (plotArea.width - gutter - 1) * 2)
    }
  }

  /// The table with its header, where it has one.
  var tableArea: Rect { inner(of: table) }

  /// True if the table's columns have titles.
  var hasTableHeader: Bool { step < .list }

  /// Rows of the table that are seen.
  package var tableRows: Int {
    step == .tiny ? 1 : max(0, tableArea.height - (hasTableHeader ? 1 : 0))
  }

  /// The rows of the tree, and under them those of the list of views and marks.
  ///
  /// - Parameter notes: how many rows that list has, its titles included.
  func treeParts(notes: Int) -> (tree: Rect, rule: Rect, notes: Rect) {
    let inner = inner(of: tree).inset(top: hasBoxes ? 0 : 1)
    let room = min(notes, inner.height / 3)
    guard room > 1 else { return (inner, Rect(size: .zero), Rect(size: .zero)) }
    let rows = inner.rows([.fill(1), .fixed(1), .fixed(room)])
    return (rows[0], rows[1], rows[2])
  }
}
