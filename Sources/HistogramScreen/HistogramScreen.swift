package import Aggregation
package import DashboardCore
package import History
package import Platform

/// The screen that shows how the numbers of a metric are distributed: two sides on one scale, with what that says; or all
/// figures of metric payloads.
package struct HistogramScreen: Screen {
  package typealias State = HistogramState
  package typealias View = HistogramView

  package static let title = ScreenTitle(name: "histogram", title: "Histogram", shortTitle: "Bins")
  package var context = ScreenContext(HistogramState())

  package init() {}

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered: adoptAnswer()
    case .filesGrew: state.wantsWhole = true
    case .worked(let result): adopt(result)
    case .appeared(let subjects): appear(about: subjects)
    case .disappeared:
      state.overview.abandonWork()
      (state.seen, state.ticket) = (chosenElsewhere, nil)
      state.isChoosing = false
    case .refresh: return refresh()
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: enter()
    case .zoom(let direction): zoom(direction)
    case .sort: break
    case .resetZoom: resetZoom()
    case .nextPane(let direction):
      state.pane = paneAfter(state.pane, direction, in: layout.panes)
    case .toggleMaximised: state.isMaximised.toggle()
    case .movePlayhead(let steps): movePlayhead(by: steps)
    case .movePlayheadFar(let direction): movePlayhead(by: 10 * direction)
    case .wheel(let rows, _): return handle(.moveCursor(by: rows))
    case .press(let position): press(position)
    case .picked(let picker, let query, let place): return pick(picker, query: query, place: place)
    case .focusPane(let position): if let pane = pane(at: position) { state.pane = pane }
    case .wentToAlert, .drag, .release, .edited, .submitted, .cancelled, .letter, .focusDetails: break
    }
    return []
  }

  package var view: HistogramView { HistogramView(self) }
}

// Facts the root needs.
extension HistogramScreen {
  package var page: Int {
    state.options.isOverview ? overviewLayout.rows : layout.listRows(of: state.pane)
  }

  package var paneCount: Int { layout.panes.count }

  package var railWindow: Range<Timestamp> {
    window ?? Self.farPast..<session.now.nextUp
  }

  package var query: HistoryQuery? { wantedQuery }

  package static var asksHistory: Bool { true }

  /// The question does not change with the clock, so the tail tells that there is more.
  package var isAgedBySamples: Bool { !session.isFrozen }

  package var subjects: [SeriesIdentity] {
    // A subject the person did not choose is no choice for the other screens.
    if state.isSubstitute { return Array(state.subjects.prefix(1)) }
    if case .series(let series) = state.subject { return [series] }
    return []
  }

  package var command: [String] { commandWords }
  package var copiedLines: [String]? { lines }

  package func choices(_ picker: Picker, query: String) -> [PickerChoice<Self>] {
    switch picker {
    case .metric: metricChoices(query)
    case .sideA, .sideB: sideChoices(picker)
    case .percentiles: Self.percentileChoices(query)
    default: []
    }
  }

  package var unknownMetric: String? { state.unknownMetric }

  package static func accepts(_ request: ScreenRequest) -> Bool {
    switch request {
    case .distribution, .comparison, .payloads: true
    case .samples, .back: false
    }
  }

  package mutating func open(_ request: ScreenRequest) -> [Effect] {
    switch request {
    case .distribution(let subjects, let span, let ticket):
      showDistribution(of: subjects, span)
      state.ticket = ticket
    case .comparison(let subjects, let ticket):
      showDistribution(of: subjects, .all)
      (state.ticket, state.isChoosing) = (ticket, true)
    case .payloads: state.options.isOverview = true
    case .back(let ticket): returnTo(ticket.playhead)
    case .samples: break
    }
    return []
  }

  package mutating func arrange(_ arrangement: Arrangement) {
    var options = arrangement.options as? HistogramOptions ?? HistogramOptions()
    options.metric = options.metric ?? arrangement.metric
    (state.options, state.wantedMetric) = (options, options.metric)
    if let moment = arrangement.moment { session.freeze(at: moment) }
    if let length = arrangement.length, length.isFinite, length > 0 { state.range = .last(length) }
  }
}
