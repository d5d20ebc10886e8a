package import Aggregation
import Codecs
package import DashboardCore
package import Platform
import TerminalUI

/// The Live screen: the present state of every metric, and what changed.
package struct LiveScreen: Screen {
  package static let title = ScreenTitle(name: "live", title: "Live", shortTitle: "Live")
  package var context = ScreenContext(LiveState())

  package init() {}
  package static let actions =
    ScreenAction.comparing { .last($0.session.window) } + ScreenAction.freezing + window + rows + matching

  package var view: LiveView { LiveView(self) }

  // MARK: Messages

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .worked, .disappeared, .letter, .picked: break
    case .appeared(let subjects): appear(about: subjects)
    case .wentToAlert(let event, _): if let series = event.series { select(series) }
    case .refresh: refresh()
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: enter()
    case .zoom(let direction): zoom(direction)
    case .sort(let name): if let key = SortKey(rawValue: name) { sortAnew(by: key) }
    case .resetZoom: resetZoom()
    case .nextPane(let direction):
      state.pane = paneAfter(
        state.pane, direction, in: LiveLayout(size: session.size).panes)
    case .toggleMaximised: state.isMaximised.toggle()
    case .movePlayhead(let steps): movePlayhead(by: steps)
    case .movePlayheadFar(let direction): movePlayhead(by: 10 * direction)
    case .wheel(let rows, let position): wheel(rows, at: position)
    case .press(let position): press(position)
    case .drag(let position): drag(position)
    case .release: release()
    case .focusDetails: state.pane = .chart
    case .focusPane(let position): focusPane(at: position)
    case .edited(let line, let text):
      if line == .filter { state.rowFilter = RowFilter(text, before: state.rowFilter) }
    case .submitted:
      state.rowFilter = state.rowFilter.settled
      session.closeFilter(state.rowFilter)
    case .cancelled(let line): if line == .filter { state.filter = "" }
    }
    return []
  }

  /// Undoes the most recent restriction of the view.
  package mutating func stepBack() -> Bool {
    if state.isMaximised {
      state.isMaximised = false
    } else if !state.filter.isEmpty {
      state.filter = ""
    } else {
      return zoomBack()
    }
    return true
  }

  // MARK: Properties

  package var page: Int { layout.rows.height }
  package var paneCount: Int { LiveLayout(size: session.size).panes.count }
  package static var scansPast: Bool { true }
  package var deadline: Timestamp? {
    [
      staleStatsDeadline, staleRowsDeadline, staleFocusDeadline,
      isFollowing ? state.axis.deadline : nil,
    ].compactMap(\.self).min()
  }
  package var subjects: [SeriesIdentity] {
    [state.selection, focusedRow?.id].compactMap { row in
      if case .series(let identity) = row { identity } else { nil }
    }
  }
  package var command: [String] {
    var words = snapshotWords + ["--window", "\(session.window)s"]
    if let subject = subjects.first { words += ["--metric", subject.fullName] }
    let (filter, sort) = (state.rowFilter, state.sort)
    if !filter.isEmpty { words += ["--where", filter.text] }
    if sort != .unusual { words += ["--sort", sort.rawValue] }
    return words + session.chartWords + session.alignmentWords
      + (session.isFrozen ? ["--at", "\(session.present)"] : [])
  }
  package mutating func arrange(_ arrangement: Arrangement) {
    if let moment = arrangement.moment { session.freeze(at: moment) }
    if let length = arrangement.length, length.isFinite, length > 0 { session.window = length }
    guard let metric = arrangement.metric else { return }
    let store = session.store
    let found = store.allSeries.compactMap { store.identity(of: $0) }.named(metric) { $0 }.first
    if let found { adopt(found) }
    state.unknownMetric = found == nil ? metric : nil
  }
  package var headline: ChangeEvent? { session.headline }
  package var orderText: String? {
    let sort = state.sort
    return sort == .unusual ? nil : "by \(sort.title)\(state.isInverted ? " turned" : "")"
  }
  package var sortNames: [String] { SortKey.allCases.map(\.rawValue) }
  package var filter: RowFilter? { state.rowFilter }
  package var hasRows: Bool { !state.content.rows.isEmpty }
  package var unknownMetric: String? { state.unknownMetric }
  package var legend: [(sign: String, meaning: String)] {
    let signs = session.theme.signs
    return [
      ("!", "over its limit"),
      ("\(signs.above) \(signs.below) \(signs.other)", "an incident: more, less, another value than usual"),
      (signs.silent, "silent"), ("high low", "the newest value is above p99 or below p1 of the last hour"),
      ("~", "fewer than 20 samples: an estimate"),
    ]
  }
  package var copiedLines: [String]? {
    state.selection == nil ? nil : [rowText]
  }
}

extension LiveScreen {
  private static let window: [ScreenAction<LiveScreen>] =
    ScreenAction.zooming { $0.canZoom($1) } + [
      ScreenAction(
        "Hold the value axis, or let it scale itself", .window, keys: [KeyPress("_")],
        refusal: { screen in
          guard let focus = screen.state.content.focus else { return "there is no chart" }
          return focus.hasCurve || focus.texts.isEmpty ? nil : "a text metric has no value axis"
        }
      ) { $0.toggleAutoScale() },
      ScreenAction.scaling(
        hasChart: { !$0.layout[.chart].isEmpty }, hasAxis: { $0.state.content.focus?.texts.isEmpty ?? true }),
      ScreenAction.pinning(
        { screen in screen.state.content.focus.flatMap { $0.hasCurve ? $0.identity : nil } },
        hasChart: { !$0.layout[.chart].isEmpty }),
    ]

  private static let rows: [ScreenAction<LiveScreen>] = [
    ScreenAction(
      "Fold a bucket; open a metric's samples or a sample's line", .rows, keys: [KeyPress(.enter)],
      refusal: { $0.session.overlay == nil && $0.state.selection == nil ? "there is no row" : nil }
    ) { $0.enter() },
    ScreenAction(
      "Filter the rows: names, figures, states, fields", .rows, name: "filter", keys: [KeyPress("/")]
    ) {
      $0.session.overlay = .typing(.filter, Prompt($0.state.filter, isSelected: true))
    },
    ScreenAction(
      "Sort by the next column", .rows, keys: [KeyPress("s"), KeyPress(.function(6))], keyText: "s F6"
    ) {
      $0.sortNext()
    },
    ScreenAction(
      "Show a tree of buckets, or one list", .rows, name: "tree-of-buckets", keys: [KeyPress("T")],
      refusal: {
        LiveLayout(size: $0.session.size, isTree: true).isFlat ? "there is no room for a tree" : nil
      }
    ) { $0.state.isTree.toggle() },
  ]

  private static let matching: [ScreenAction<LiveScreen>] = ScreenAction.matching(
    hasFilter: { !$0.state.filter.isEmpty }, invert: { $0.invertSort() }, next: { $0.nextMatch($1) })
}

extension LiveScreen {
  var layout: LiveLayout {
    let (session, state) = (session, state)
    let request = LiveLayout.Request(
      size: session.size, maximised: state.isMaximised ? state.pane : nil, nameWidth: state.content.nameWidth,
      isTree: state.isTree, chosen: session.columns,
      hasNumbers: state.content.focus?.hasNumbers ?? true)
    return state.layouts(request, LiveLayout.init)
  }

  /// True if the window moves with the clock.
  var isFollowing: Bool {
    session.playhead == .live && session.hasRecentSamples
  }

  mutating func refresh() {
    takeKept()
    refreshRows()
    refreshStats()
    refreshFocus()
    refreshPins()
    fitAxis()
  }

  // MARK: The window

  private var zoomIndex: Int {
    Session.windows.firstIndex { $0 >= session.window } ?? Session.windows.count - 1
  }

  func canZoom(_ direction: Int) -> Bool { Session.windows.indices.contains(zoomIndex + direction) }

  mutating func zoom(_ direction: Int) {
    guard canZoom(direction) else { return }
    session.window = Session.windows[zoomIndex + direction]
    session.zoom = .length(session.window)
  }

  mutating func resetZoom() {
    (session.window, session.zoom) = (Session.usualWindow, .usual)
    (state.isAutoScaled, state.zooms) = (true, [])
  }

  /// Adopts the metric and the zoom from the other screens.
  mutating func appear(about subjects: [SeriesIdentity]) {
    if let subject = subjects.first { adopt(subject) }
    switch session.zoom {
    case nil: break
    case .usual: session.window = Session.usualWindow
    case .length(let length): session.window = max(1, min(Session.windows.last ?? length, length))
    }
  }

  mutating func toggleAutoScale() {
    state.isAutoScaled.toggle()
    session.showToast(state.isAutoScaled ? "Value axis: scales itself" : "Value axis: held")
  }

  /// Moves the playhead by twentieths of the window.
  mutating func movePlayhead(by steps: Int) {
    session.movePlayhead(to: session.present + Double(steps) * max(session.window / 20, session.quantum))
  }

  // MARK: Copying

  /// The selected row with its figures, as text for the clipboard.
  var rowText: String {
    guard let index = selectedIndex else { return "" }
    let row = state.content.rows[index]
    guard case .series(let identity) = row.id, let id = row.series else { return SafeText.row([row.label]) }
    let stats = state.content.stats[id]?.stats ?? stats(of: id, columns: 1)
    func cell(_ name: String, _ quantile: Quantile?) -> String? {
      quantile.map {
        "\(name) \($0.isEstimate ? "~\(row.unit.text($0.value))" : row.unit.exactText($0.value))"
      }
    }
    let cells = [
      identity.fullName, stats.now.map { "now \($0.exactWords(row.unit))" }, cell("p50", stats.p50),
      cell("p95", stats.p95), "n \(stats.n) in \(DurationFormat.text(session.window))",
      reason(of: row, stats)?.words,
    ]
    return SafeText.row(cells.compactMap(\.self))
  }
}
