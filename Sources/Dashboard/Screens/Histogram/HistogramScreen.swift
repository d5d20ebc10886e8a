package import Aggregation
package import History
package import Platform

/// The screen that shows how the numbers of a metric are distributed: two sides on one scale, with what that says; or all
/// figures of metric payloads.
package enum HistogramScreen: Screen {
  package typealias State = HistogramState
  package typealias View = HistogramView

  package static let title = ScreenTitle(name: "histogram", title: "Histogram", shortTitle: "Bins")
  package static var initialState: HistogramState { HistogramState() }

  package static func reduce(_ model: inout Context, _ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered: model.adoptAnswer()
    case .filesGrew: model.state.wantsWhole = true
    case .worked(let result): model.adopt(result)
    case .appeared(let subjects): model.appear(about: subjects)
    case .disappeared:
      model.state.overview.abandonWork()
      (model.state.seen, model.state.ticket) = (model.chosenElsewhere, nil)
      model.state.isChoosing = false
    case .refresh: return model.refresh()
    case .moveCursor(let rows): model.moveCursor(by: rows)
    case .enter: model.enter()
    case .zoom(let direction): model.zoom(direction)
    case .sort: break
    case .resetZoom: model.resetZoom()
    case .nextPane(let direction):
      model.state.pane = paneAfter(model.state.pane, direction, in: model.layout.panes)
    case .toggleMaximised: model.state.isMaximised.toggle()
    case .movePlayhead(let steps): model.movePlayhead(by: steps)
    case .movePlayheadFar(let direction): model.movePlayhead(by: 10 * direction)
    case .wheel(let rows, _): return reduce(&model, .moveCursor(by: rows))
    case .press(let position): model.press(position)
    case .picked(let picker, let query, let place): return model.pick(picker, query: query, place: place)
    case .focusPane(let position): if let pane = model.pane(at: position) { model.state.pane = pane }
    case .wentToAlert, .drag, .release, .edited, .submitted, .cancelled, .letter: break
    }
    return []
  }

  package static func stepBack(_ model: inout Context) -> Bool { model.stepBack() }

  package static func view(of model: Context) -> HistogramView { HistogramView(model: model) }
}

// Facts the root needs.
extension HistogramScreen {
  package static func page(_ model: Context) -> Int {
    model.state.options.isOverview ? model.overviewLayout.rows : model.layout.listRows(of: model.state.pane)
  }

  package static func paneCount(_ model: Context) -> Int { model.layout.panes.count }

  package static func window(_ model: Context) -> Range<Timestamp> {
    model.window ?? farPast..<model.session.now.nextUp
  }

  package static func query(_ model: Context) -> HistoryQuery? { model.wantedQuery }

  package static var asksHistory: Bool { true }

  /// The question does not change with the clock, so the tail tells that there is more.
  package static func isAgedBySamples(_ model: Context) -> Bool { !model.session.isFrozen }

  package static func subjects(_ model: Context) -> [SeriesIdentity] {
    // A subject the person did not choose is no choice for the other screens.
    if model.state.isSubstitute { return Array(model.state.subjects.prefix(1)) }
    if case .series(let series) = model.state.subject { return [series] }
    return []
  }

  package static func command(_ model: Context) -> [String] { model.commandWords }
  package static func description(_ model: Context) -> String { model.description }
  package static func unknownField(_ model: Context) -> String? { model.unknownField }
  package static func copiedLines(_ model: Context) -> [String]? { model.lines }

  package static func choices(_ model: Context, _ picker: Picker, query: String) -> [PickerChoice<Self>] {
    switch picker {
    case .metric: model.metricChoices(query)
    case .sideA, .sideB: model.sideChoices(picker)
    case .percentiles: percentileChoices(query)
    default: []
    }
  }

  package static func unknownMetric(_ model: Context) -> String? { model.state.unknownMetric }

  package static func accepts(_ request: ScreenRequest) -> Bool {
    switch request {
    case .distribution, .comparison, .payloads: true
    case .samples, .back: false
    }
  }

  package static func open(_ model: inout Context, _ request: ScreenRequest) -> [Effect] {
    switch request {
    case .distribution(let subjects, let span, let ticket):
      model.showDistribution(of: subjects, span)
      model.state.ticket = ticket
    case .comparison(let subjects, let ticket):
      model.showDistribution(of: subjects, .all)
      (model.state.ticket, model.state.isChoosing) = (ticket, true)
    case .payloads: model.state.options.isOverview = true
    case .back(let ticket): model.returnTo(ticket.playhead)
    case .samples: break
    }
    return []
  }

  package static func arrange(_ model: inout Context, _ arrangement: Arrangement) {
    var options = arrangement.options as? HistogramOptions ?? HistogramOptions()
    options.metric = options.metric ?? arrangement.metric
    (model.state.options, model.state.wantedMetric) = (options, options.metric)
    if let moment = arrangement.moment { model.session.freeze(at: moment) }
    if let length = arrangement.length, length.isFinite, length > 0 { model.state.range = .last(length) }
  }
}
