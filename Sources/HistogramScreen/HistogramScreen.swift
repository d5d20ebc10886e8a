package import Aggregation
package import DashboardCore
package import History

/// The screen of the distribution of a metric: two sides on one scale, and the conclusion.
package struct HistogramScreen: Screen {
  package typealias State = HistogramState
  package typealias View = HistogramView

  package var context = ScreenContext(HistogramState())

  package init() {}

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered: adoptAnswer()
    case .filesGrew: state.wantsWhole = true
    case .worked(let result): if let result = result as? HistogramWork.Result { adopt(result) }
    case .appeared(let subjects): appear(about: subjects)
    case .disappeared:
      (state.seen, state.ticket) = (rangeChosenElsewhere, nil)
      state.isChoosing = false
    case .refresh: return refresh()
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: enter()
    case .zoom(let direction): zoom(direction)
    case .sort: break
    case .resetZoom:
      resetRange()
      state.fitted = HistogramFit(numbers: state.numbers, window: window)
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

// Properties for the root.
extension HistogramScreen {
  package var page: Int { layout.listRows(of: state.pane) }

  package var paneCount: Int { layout.panes.count }

  package var query: HistoryQuery? { wantedQuery }

  package var subjects: [SeriesIdentity] {
    // A subject that the user did not choose does not carry over to other screens.
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

  package var unknownField: String? { unknownField(group: state.options.group) }

  package static func accepts(_ request: ScreenRequest) -> Bool {
    switch request {
    case .distribution, .comparison, .host, .histogram: true
    case .samples, .payloads, .back: false
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
    case .host(let host, let subject, let span, let ticket):
      showDistribution(of: [subject], span)
      sides.a = .label(dimension: SampleCube.hostDimension, value: .value(host))
      sides.b = .label(dimension: SampleCube.hostDimension, value: .missing)
      // Narrowed to the host, there would be no others.
      (state.ticket, session.scope) = (ticket, .all)
    case .histogram(let subject, let sides, let isDetour):
      self.sides = sides
      if let subject {
        show(subject)
        state.isFromPayloads = isDetour
      }
    case .back(let ticket): returnTo(ticket.playhead)
    case .samples, .payloads: break
    }
    return []
  }

  package mutating func arrange(_ arrangement: Arrangement) {
    var options = arrangement.options as? HistogramOptions ?? HistogramOptions()
    options.metric = options.metric ?? arrangement.metric
    (state.options, state.wantedMetric) = (options, options.metric)
    arrangeRange(arrangement)
  }
}
