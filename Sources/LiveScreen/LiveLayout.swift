package import DashboardCore
package import TerminalUI

/// An area of the Live screen.
package enum LiveArea: ScreenArea {
  case pane(LivePane)
  /// The sentence on the current problem, above everything else.
  case sentence
}

/// The layout for a size: the fixed order in which elements are dropped as space gets short.
package struct LiveLayout: ScreenLayout {
  package let frame: ScreenFrame
  /// The width of the longest name, including its indent.
  let nameWidth: Int
  private let isTree: Bool
  /// True if the metric in focus has figures to compare.
  private let hasNumbers: Bool
  /// The figures chosen by the user; `nil` for the defaults.
  private let chosen: [LiveColumn]?
  package private(set) var places: [LiveArea: Rect] = [:]

  /// - Parameters:
  ///   - maximised: The pane that fills the area between header and rail.
  ///   - nameWidth: The width of the longest name, for which sparklines and chart make room as far as they can.
  ///   - isTree: True to show rows under their buckets, if there is room.
  ///   - chosen: The figures chosen by the user; `nil` for the defaults.
  ///   - hasNumbers: True if the metric in focus has figures to compare.
  package init(
    size: Size, maximised: LivePane? = nil, nameWidth: Int = 0, isTree: Bool = false,
    chosen: [LiveColumn]? = nil, hasNumbers: Bool = true
  ) {
    frame = ScreenFrame(size: size)
    self.nameWidth = nameWidth
    self.isTree = isTree
    self.hasNumbers = hasNumbers
    // The list step is too narrow for chosen figures.
    self.chosen = frame.step < .list ? chosen : nil
    guard step != .tiny else { return }
    let panes = maximised.map { .pane($0) } ?? table
    places = AreaTable.rows([.area(.sentence, .fixed(1)), panes]).places(in: frame.body)
  }

  /// The inputs of a layout.
  struct Request: Equatable, Sendable {
    let size: Size
    let maximised: LivePane?
    let nameWidth: Int
    let isTree: Bool
    let chosen: [LiveColumn]?
    let hasNumbers: Bool
  }

  init(_ request: Request) {
    self.init(
      size: request.size, maximised: request.maximised, nameWidth: request.nameWidth, isTree: request.isTree,
      chosen: request.chosen, hasNumbers: request.hasNumbers)
  }

  package var size: Size { frame.size }

  private var table: AreaTable<LiveArea> {
    // Excluding the sentence.
    let height = frame.body.height - 1
    switch step {
    case .wide:
      let figures = !hasNumbers ? 1 : height < 40 ? 5 : 8
      return columns([
        .pane(.chart), .pane(.comparison, .fixed(figures)),
        .pane(.events, .growing(7, every: 4, beyond: 32)),
      ])
    case .medium: return columns([.pane(.chart), .pane(.events, .fixed(6))])
    case .stacked: return stack(chart: .share(45, of: 100, atLeast: 9))
    case .narrow: return stack(chart: .fixed(6))
    case .list: return .rows([.pane(.tree), .pane(.events, .fixed(1))])
    case .tiny: return .rows([])
    }
  }

  private func columns(_ others: [AreaTable<LiveArea>]) -> AreaTable<LiveArea> {
    let width = frame.body.width
    let usual = step == .wide ? max(56, min(110, width * 9 / 20)) : max(52, width / 2)
    let needed = nameWidth + Self.leastSpark + figuresWidth
    return .columns([.pane(.tree, .fixed(max(usual, min(width * 53 / 100, needed)))), .rows(others)])
  }

  /// The list takes the height that the chart leaves; percentiles and events take one line each.
  private func stack(chart: Constraint) -> AreaTable<LiveArea> {
    .rows([
      .pane(.tree), .pane(.chart, chart), .pane(.comparison, .fixed(1)), .pane(.events, .fixed(1)),
    ])
  }

  /// True if the tree is shown as a flat list.
  var isFlat: Bool { !isTree || step >= .stacked }
  /// True if a pane is one line of text instead of a box.
  func isLine(_ rect: Rect) -> Bool { rect.height == 1 }

  /// The visible panes, in Tab order.
  package var panes: [LivePane] {
    LivePane.allCases.filter { !self[$0].isEmpty }
  }

  /// The area of the tree's rows, without frame and table header.
  var rows: Rect {
    let inner = inner(of: self[.tree])
    return step >= .list ? inner : inner.inset(top: 1)
  }

  /// The area of the events, one per row.
  var eventRows: Rect {
    let events = self[.events]
    return isLine(events) ? events.row(1) : hasBoxes ? inner(of: events) : events.inset(top: 1)
  }

  /// Minimum width of a sparkline; beyond it, names take precedence.
  private static let leastSpark = 8

  /// Columns of the tree that hold neither name nor sparkline: figures, signs, spaces and frame.
  private var figuresWidth: Int {
    if step == .tiny { return 0 }
    let figures = chosen.map { Array($0.prefix(chosenCount)) } ?? usualColumns
    return figures.reduce((hasBoxes ? 5 : 3) + whyWidth) { $0 + width(of: $1) + 1 }
  }

  /// The width of a figure; in a list, units and signs are elsewhere.
  func width(of column: LiveColumn) -> Int {
    guard step >= .list else { return column.width }
    return column == .now ? 5 : 8
  }

  /// The width of the reason at the end of a row; in a list, that of its sign.
  var whyWidth: Int { step < .narrow ? 8 : step < .list ? 6 : 1 }

  /// The default figures, without those that wide screens add.
  private var usualColumns: [LiveColumn] { [.now, .p95] }

  /// The number of chosen figures that leave room for names and sparklines.
  private var chosenCount: Int {
    var room =
      (self[.tree].isEmpty ? size.width / 2 : self[.tree].width) - 5 - whyWidth - Self.leastSpark - 10
    return (chosen ?? []).prefix { column in
      room -= column.width + 1
      return room >= 0
    }.count
  }

  /// The figures in order.
  var columns: [LiveColumn] {
    if let chosen { return Array(chosen.prefix(chosenCount)) }
    guard extraColumns > 0 else { return usualColumns }
    let shown = Set(usualColumns + LiveColumn.extra.prefix(extraColumns) + [LiveColumn.count])
    return LiveColumn.allCases.filter(shown.contains)
  }

  /// The number of extra figures that there is room for.
  var extraColumns: Int {
    guard step == .wide, chosen == nil else { return 0 }
    let room = self[.tree].width - figuresWidth - max(20, nameWidth) - 16 - Self.countWidth
    return max(0, min(LiveColumn.extra.count, room / Self.extraWidth))
  }

  /// The width of all extra figures, including the number of samples at the end.
  private var extraRoom: Int {
    extraColumns > 0 ? extraColumns * Self.extraWidth + Self.countWidth : 0
  }

  /// The width of one extra figure, including the space before it.
  private static let extraWidth = 10
  private static let countWidth = LiveColumn.count.width + 1

  /// The width of a sparkline in the tree.
  var sparkWidth: Int {
    guard step != .tiny else { return usualSparkWidth }
    let usual = usualSparkWidth
    let room = self[.tree].width - figuresWidth - extraRoom - nameWidth
    return max(min(usual, Self.leastSpark), min(usual, room))
  }

  /// The width of a name in the shortest list.
  var nameRoom: Int { max(6, self[.tree].width - figuresWidth - sparkWidth) }

  private var usualSparkWidth: Int {
    switch step {
    case .wide: return max(12, min(40, 12 + (self[.tree].width - 62) / 2))
    case .medium: return 8
    case .stacked: return max(12, min(24, 18 + (size.width - 80) / 4))
    case .narrow: return 12
    case .list: return 13
    case .tiny: return max(1, size.width)
    }
  }

  /// The area of the curve, including axis and time line.
  var plotArea: Rect {
    let chart = self[.chart]
    return chart.isEmpty || hasBoxes ? inner(of: chart) : chart.inset(top: 1)
  }

  /// The width of the value axis, without its line.
  var gutter: Int { step <= .medium ? 7 : 6 }

  /// The number of points of the curve: two per cell of the chart.
  var chartColumns: Int {
    step == .tiny || self[.chart].isEmpty ? max(1, sparkWidth) : max(1, (plotArea.width - gutter - 1) * 2)
  }
}
