package import DashboardCore
package import TerminalUI

/// Where everything stands at a size: the fixed list of what goes, in order, as room gets short.
package struct LiveLayout: Hashable, Sendable {
  package typealias Step = LayoutStep

  package let frame: ScreenFrame
  /// The width of the longest name, including its indent.
  let nameWidth: Int
  private let isTree: Bool
  /// True if the metric in front has figures to compare.
  private let hasNumbers: Bool
  /// The figures that the person chose; `nil` for the usual ones.
  private let chosen: [LiveColumn]?
  /// The area of the sentence on what is wrong, before all else.
  package private(set) var sentence = Rect(x: 0, y: 0, width: 0, height: 0)
  package private(set) var tree = Rect(x: 0, y: 0, width: 0, height: 0)
  package private(set) var chart = Rect(x: 0, y: 0, width: 0, height: 0)
  package private(set) var comparison = Rect(x: 0, y: 0, width: 0, height: 0)
  package private(set) var events = Rect(x: 0, y: 0, width: 0, height: 0)

  /// - Parameters:
  ///   - maximised: the pane that takes the whole room between header and rail.
  ///   - nameWidth: columns of the longest name, for which sparklines and chart make room as far as they can.
  ///   - isTree: whether rows stand under their buckets, where there is room for that.
  ///   - chosen: the figures that the person chose; `nil` for the usual ones.
  ///   - hasNumbers: whether the metric in front has figures to compare.
  package init(
    size: Size, maximised: LivePane? = nil, nameWidth: Int = 0, isTree: Bool = false,
    chosen: [LiveColumn]? = nil, hasNumbers: Bool = true
  ) {
    frame = ScreenFrame(size: size)
    self.nameWidth = nameWidth
    self.isTree = isTree
    self.hasNumbers = hasNumbers
    // A list is too narrow for a choice.
    self.chosen = frame.step < .list ? chosen : nil
    guard step != .tiny else { return }
    let body = frame.body.inset(top: 1)
    sentence = Rect(x: frame.body.x, y: frame.body.y, width: frame.body.width, height: 1)
    if let maximised {
      place(maximised, in: body)
      return
    }
    switch step {
    case .wide, .medium: placeColumns(in: body)
    case .stacked, .narrow: placeStack(in: body)
    case .list, .tiny: placeList(in: body)
    }
  }

  package var step: Step { frame.step }
  package var size: Size { frame.size }

  private mutating func place(_ pane: LivePane, in body: Rect) {
    switch pane {
    case .tree: tree = body
    case .chart: chart = body
    case .comparison: comparison = body
    case .events: events = body
    }
  }

  private mutating func placeColumns(in body: Rect) {
    let usual = step == .wide ? max(56, min(110, body.width * 9 / 20)) : max(52, body.width / 2)
    let needed = nameWidth + Self.leastSpark + figuresWidth
    let left = max(usual, min(body.width * 53 / 100, needed))
    let columns = body.columns([.fixed(left), .fill(1)])
    tree = columns[0]
    let spare = max(0, body.height - 32)
    if step == .wide {
      let figures = hasNumbers ? spare < 8 ? 5 : 8 : 1
      let rows = columns[1].rows([.fill(1), .fixed(figures), .fixed(7 + spare / 4)])
      (chart, comparison, events) = (rows[0], rows[1], rows[2])
    } else {
      let rows = columns[1].rows([.fill(1), .fixed(6)])
      (chart, events) = (rows[0], rows[1])
    }
  }

  /// The list takes what the chart leaves; the percentiles and the events are a line each.
  private mutating func placeStack(in body: Rect) {
    let chartHeight = step == .stacked ? max(9, body.height * 45 / 100) : 6
    let rows = body.rows([.fill(1), .fixed(chartHeight), .fixed(1), .fixed(1)])
    (tree, chart, comparison, events) = (rows[0], rows[1], rows[2], rows[3])
  }

  private mutating func placeList(in body: Rect) {
    let rows = body.rows([.fill(1), .fixed(1)])
    (tree, events) = (rows[0], rows[1])
  }

  /// True if panes have boxes; otherwise they have a rule above them, or nothing.
  var hasBoxes: Bool { step.hasBoxes }
  /// True if the tree is one flat list.
  var isFlat: Bool { !isTree || step >= .stacked }
  /// True if a pane is one line of words instead of a box.
  func isLine(_ rect: Rect) -> Bool { rect.height == 1 }

  /// The panes that can be seen, in the order of Tab.
  package var panes: [LivePane] {
    LivePane.allCases.filter { !rect(of: $0).isEmpty }
  }

  /// Where a pane stands; empty when it does not.
  package func rect(of pane: LivePane) -> Rect {
    switch pane {
    case .tree: return tree
    case .chart: return chart
    case .comparison: return comparison
    case .events: return events
    }
  }

  /// Where the rows of the tree stand, without frame and table header.
  var rows: Rect {
    let inner = hasBoxes ? tree.inset(left: 1, top: 1, right: 1) : tree
    return step >= .list ? inner : inner.inset(top: 1)
  }

  /// Where the events stand, one a row.
  var eventRows: Rect {
    isLine(events) ? events.row(1) : hasBoxes ? events.inset(left: 1, top: 1, right: 1) : events.inset(top: 1)
  }

  /// Minimum columns of a sparkline; it gives the rest to the names.
  private static let leastSpark = 8

  /// Columns of the tree that are neither name nor sparkline: figures, signs, spaces and frame.
  private var figuresWidth: Int {
    if step == .tiny { return 0 }
    let figures = chosen.map { Array($0.prefix(chosenCount)) } ?? usualColumns
    return figures.reduce((hasBoxes ? 5 : 3) + whyWidth) { $0 + width(of: $1) + 1 }
  }

  /// Columns of a figure; the list has units and signs elsewhere.
  func width(of column: LiveColumn) -> Int {
    guard step >= .list else { return column.width }
    return column == .now ? 5 : 8
  }

  /// Columns of the reason at the end of a row; of its sign in a list.
  var whyWidth: Int { step < .narrow ? 8 : step < .list ? 6 : 1 }

  /// The figures that there are without any choice, and without those of wide screens.
  private var usualColumns: [LiveColumn] { [.now, .p95] }

  /// How many of the chosen figures leave room for names and sparklines.
  private var chosenCount: Int {
    var room = (tree.isEmpty ? size.width / 2 : tree.width) - 5 - whyWidth - Self.leastSpark - 10
    return (chosen ?? []).prefix { column in
      room -= column.width + 1
      return room >= 0
    }.count
  }

  /// The figures in their order.
  var columns: [LiveColumn] {
    if let chosen { return Array(chosen.prefix(chosenCount)) }
    guard extraColumns > 0 else { return usualColumns }
    let shown = Set(usualColumns + LiveColumn.extra.prefix(extraColumns) + [LiveColumn.count])
    return LiveColumn.allCases.filter(shown.contains)
  }

  /// Columns of figures beyond the usual ones that there is room for.
  var extraColumns: Int {
    guard step == .wide, chosen == nil else { return 0 }
    let room = tree.width - figuresWidth - max(20, nameWidth) - 16 - Self.countWidth
    return max(0, min(4, room / Self.extraWidth))
  }

  /// Columns that all of them take, the number of samples at their end included.
  private var extraRoom: Int {
    extraColumns > 0 ? extraColumns * Self.extraWidth + Self.countWidth : 0
  }

  /// Columns that each of them takes, with the space before it.
  private static let extraWidth = 10
  private static let countWidth = LiveColumn.count.width + 1

  /// Columns of a sparkline in the tree.
  var sparkWidth: Int {
    guard step != .tiny else { return usualSparkWidth }
    let usual = usualSparkWidth
    let room = tree.width - figuresWidth - extraRoom - nameWidth
    return max(min(usual, Self.leastSpark), min(usual, room))
  }

  /// Columns that a name has in the shortest list.
  var nameRoom: Int { max(6, tree.width - figuresWidth - sparkWidth) }

  private var usualSparkWidth: Int {
    switch step {
    case .wide: return max(12, min(40, 12 + (tree.width - 62) / 2))
    case .medium: return 8
    case .stacked: return max(12, min(24, 18 + (size.width - 80) / 4))
    case .narrow: return 12
    case .list: return 13
    case .tiny: return max(1, size.width)
    }
  }

  /// Where the curve itself goes, axis and time line included.
  var plotArea: Rect {
    guard !chart.isEmpty else { return chart }
    return hasBoxes ? chart.inset(left: 1, top: 1, right: 1) : chart.inset(top: 1)
  }

  /// Columns that the value axis takes, without its line.
  var gutter: Int { step <= .medium ? 7 : 6 }

  /// Points of the curve: two a cell where there is a curve.
  var chartColumns: Int {
    step == .tiny || chart.isEmpty ? max(1, sparkWidth) : max(1, (plotArea.width - gutter - 1) * 2)
  }
}
