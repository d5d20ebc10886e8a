package import Aggregation
import Codecs
package import Platform
package import TerminalUI

/// The Live screen: every metric as it is now, and what changed.
package enum LiveScreen: Screen {
  package static let title = ScreenTitle(name: "live", title: "Live", shortTitle: "Live")
  package static var initialState: LiveState { LiveState() }
  package static let actions = comparing + ScreenAction.freezing + window + rows

  package static func view(of model: Context) -> LiveView { LiveView(model: model) }

  // MARK: Messages

  package static func reduce(_ model: inout Context, _ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .worked, .disappeared, .letter, .picked: break
    case .appeared(let subjects): model.appear(about: subjects)
    case .wentToAlert(let event, _): if let series = event.series { model.select(series) }
    case .refresh: model.refresh()
    case .moveCursor(let rows): model.moveCursor(by: rows)
    case .enter: model.enter()
    case .zoom(let direction): model.zoom(direction)
    case .sort(let name): if let key = SortKey(rawValue: name) { model.sortAnew(by: key) }
    case .resetZoom: model.resetZoom()
    case .nextPane(let direction):
      model.state.pane = paneAfter(
        model.state.pane, direction, in: LiveLayout(size: model.session.size).panes)
    case .toggleMaximised: model.state.isMaximised.toggle()
    case .movePlayhead(let steps): model.movePlayhead(by: steps)
    case .movePlayheadFar(let direction): model.movePlayhead(by: 10 * direction)
    case .wheel(let rows, let position): model.wheel(rows, at: position)
    case .press(let position): model.press(position)
    case .drag(let position): model.drag(position)
    case .release: model.release()
    case .focusPane(let position): model.focusPane(at: position)
    case .edited(let line, let text):
      if line == .filter { model.state.rowFilter = RowFilter(text, before: model.state.rowFilter) }
    case .submitted:
      model.state.rowFilter = model.state.rowFilter.settled
      model.session.closeFilter(model.state.rowFilter)
    case .cancelled(let line): if line == .filter { model.state.filter = "" }
    }
    return []
  }

  /// Takes back the last of what narrows the view.
  package static func stepBack(_ model: inout Context) -> Bool {
    if model.state.isMaximised {
      model.state.isMaximised = false
    } else if !model.state.filter.isEmpty {
      model.state.filter = ""
    } else {
      return model.zoomBack()
    }
    return true
  }

  // MARK: Facts

  package static func page(_ model: Context) -> Int { model.layout.rows.height }
  package static func paneCount(_ model: Context) -> Int { LiveLayout(size: model.session.size).panes.count }
  package static var scansPast: Bool { true }
  package static func deadline(_ model: Context) -> Timestamp? {
    [
      model.staleStatsDeadline, model.staleRowsDeadline, model.staleFocusDeadline,
      model.isFollowing ? model.state.axis.deadline : nil,
    ].compactMap(\.self).min()
  }
  package static func subjects(_ model: Context) -> [SeriesIdentity] {
    [model.state.selection, model.focusedRow?.id].compactMap { row in
      if case .series(let identity) = row { identity } else { nil }
    }
  }
  package static func command(_ model: Context) -> [String] {
    var words = model.snapshotWords + ["--window", "\(model.session.window)s"]
    if let subject = subjects(model).first { words += ["--metric", subject.fullName] }
    let (filter, sort) = (model.state.rowFilter, model.state.sort)
    if !filter.isEmpty { words += ["--where", filter.text] }
    if sort != .unusual { words += ["--sort", sort.rawValue] }
    return words + model.session.chartWords
      + (model.session.isFrozen ? ["--at", "\(model.session.present)"] : [])
  }
  package static func arrange(_ model: inout Context, _ arrangement: Arrangement) {
    if let moment = arrangement.moment { model.session.freeze(at: moment) }
    if let length = arrangement.length, length.isFinite, length > 0 { model.session.window = length }
    guard let metric = arrangement.metric else { return }
    let store = model.session.store
    let found = store.allSeries.compactMap { store.identity(of: $0) }.named(metric) { $0 }.first
    if let found { model.adopt(found) }
    model.state.unknownMetric = found == nil ? metric : nil
  }
  package static func orderText(_ model: Context) -> String? {
    let sort = model.state.sort
    return sort == .unusual ? nil : "by \(sort.title)\(model.state.isInverted ? " turned" : "")"
  }
  package static func sortNames(_ model: Context) -> [String] { SortKey.allCases.map(\.rawValue) }
  package static func filter(_ model: Context) -> RowFilter? { model.state.rowFilter }
  package static func hasRows(_ model: Context) -> Bool { !model.state.content.rows.isEmpty }
  package static func description(_ model: Context) -> String { model.description }
  package static func unknownMetric(_ model: Context) -> String? { model.state.unknownMetric }
  package static func legend(_ signs: Signs) -> [(sign: String, meaning: String)] {
    [
      ("!", "over its limit"),
      ("\(signs.above) \(signs.below) \(signs.other)", "an incident: more, less, another value than usual"),
      (signs.silent, "silent"), ("high low", "the newest value is above p99 or below p1 of the last hour"),
      ("~", "fewer than 20 samples: an estimate"),
    ]
  }
  package static func copiedLines(_ model: Context) -> [String]? {
    model.state.selection == nil ? nil : [model.rowText]
  }
}

extension LiveScreen {
  private static let comparing: [ScreenAction<LiveScreen>] = [
    ScreenAction(
      "The histogram of this metric over this window", .comparing, name: "histogram-of-this-metric",
      keys: [KeyPress("i")],
      change: { model in
        // Keys that came in one burst may have chosen another row.
        model.refresh()
        model.session.open(
          .distribution(of: subjects(model), .last(model.session.window), model.returnTicket))
      }),
    ScreenAction(
      "Compare two versions, files, periods or values of this metric", .comparing, keys: [KeyPress("c")],
      change: { model in
        model.refresh()
        model.session.open(.comparison(of: subjects(model), model.returnTicket))
      }),
  ]

  private static let window: [ScreenAction<LiveScreen>] =
    ScreenAction.zooming { $0.canZoom($1) } + [
      ScreenAction(
        "Hold the value axis, or let it scale itself", .window, keys: [KeyPress("_")],
        refusal: { model in
          guard let focus = model.state.content.focus else { return "there is no chart" }
          return focus.hasCurve || focus.texts.isEmpty ? nil : "a text metric has no value axis"
        }
      ) { $0.toggleAutoScale() },
      ScreenAction.scaling(
        hasChart: { !$0.layout.chart.isEmpty }, hasAxis: { $0.state.content.focus?.texts.isEmpty ?? true }),
      ScreenAction.pinning(
        { model in model.state.content.focus.flatMap { $0.hasCurve ? $0.identity : nil } },
        hasChart: { !$0.layout.chart.isEmpty }),
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
    ScreenAction("Reverse the order", .rows, name: "turn-the-order-round", keys: [KeyPress("I")]) {
      $0.invertSort()
    },
    ScreenAction("Next match of the filter", .rows, keys: [KeyPress("n")], refusal: needsFilter) {
      $0.nextMatch(1)
    },
    ScreenAction(
      "Previous match of the filter", .rows, name: "match-of-the-filter-before", keys: [KeyPress("N")],
      refusal: needsFilter
    ) {
      $0.nextMatch(-1)
    },
  ]

  private static let needsFilter: @Sendable (ScreenModel<LiveScreen>) -> String? = {
    $0.state.filter.isEmpty ? "there is no filter" : nil
  }
}

extension ScreenModel where Owner == LiveScreen {
  var layout: LiveLayout {
    LiveLayout(
      size: session.size, maximised: state.isMaximised ? state.pane : nil, nameWidth: state.content.nameWidth,
      isTree: state.isTree, chosen: session.columns,
      hasNumbers: state.content.focus?.hasNumbers ?? true)
  }

  /// True if the window moves on with the clock.
  var isFollowing: Bool {
    session.playhead == .live && session.newest.map { session.now - $0 <= session.window } ?? false
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

  /// Takes over what the person looked at elsewhere: the metric, and how much of the past.
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

  /// The selected row with its figures, as it is copied.
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
