import Aggregation
package import DashboardCore
package import History
import Platform
import TerminalUI

/// The screen of all metric payloads, figure by figure; it shares a tab with the Histogram screen.
package struct PayloadsScreen: ComparingScreen {
  package typealias State = OverviewState
  package typealias View = PayloadsView

  package static let actions = comparing
  package var context = ScreenContext(OverviewState())

  package init() {}

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered:
      if let payloads = session.history.answer?.payloads, state.payloads != payloads {
        state.payloads = payloads
      }
    case .worked(let result): if let result = result as? OverviewWork.Result { state.adopt(result) }
    case .appeared: adoptRange()
    case .disappeared:
      state.abandonWork()
      (rangeSeen, state.ticket) = (rangeChosenElsewhere, nil)
    case .refresh: return refresh()
    case .moveCursor(let rows), .wheel(let rows, _):
      state.move(by: rows)
      state.scroll(rows: page)
    case .enter: enter()
    case .zoom(let direction): zoom(direction)
    case .resetZoom: resetRange()
    case .movePlayhead(let steps): moveRange(by: steps)
    case .movePlayheadFar(let direction): moveRange(by: 10 * direction)
    case .press(let position): press(position)
    case .picked(let picker, let query, let place): return pick(picker, query: query, place: place)
    case .filesGrew, .sort, .nextPane, .toggleMaximised, .focusPane, .wentToAlert, .drag, .release, .edited,
      .submitted, .cancelled, .letter, .focusDetails:
      break
    }
    return []
  }

  package var view: PayloadsView { PayloadsView(self) }
}

// Properties for the root.
extension PayloadsScreen {
  package var page: Int { layout.rows }

  package var paneCount: Int { 0 }

  package var query: HistoryQuery? {
    var wanted = HistogramQuery()
    wanted.wantsPayloads = mayHavePayloads
    return HistoryQuery(window: Timestamp(0)..<Timestamp(1), playhead: Timestamp(0), histogram: wanted)
  }

  package var hasNumbers: Bool { shownSides > 0 }

  package var description: String {
    (copiedLines ?? []).filter { !$0.isEmpty }.prefix(2).joined(separator: ". ")
  }

  package var command: [String] { snapshotWords + ["--overview"] + sideOptions + rangeOptions }

  package var copiedLines: [String]? {
    state.content.text(session.theme).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
  }

  package var unknownField: String? { unknownField(group: nil) }

  package func choices(_ picker: Picker, query: String) -> [PickerChoice<Self>] {
    switch picker {
    case .metric: metricChoices(query)
    case .sideA, .sideB: sideChoices(picker)
    default: []
    }
  }

  package static func accepts(_ request: ScreenRequest) -> Bool {
    if case .payloads = request { true } else { false }
  }

  package mutating func open(_ request: ScreenRequest) -> [Effect] {
    switch request {
    case .payloads(let sides?, let ticket): (self.sides, state.ticket) = (sides, ticket)
    case .back(let ticket): returnTo(ticket.playhead)
    case .samples, .distribution, .comparison, .histogram, .payloads: break
    }
    return []
  }

  package mutating func arrange(_ arrangement: Arrangement) {
    sides = arrangement.options as? ComparedSides ?? ComparedSides()
    arrangeRange(arrangement)
  }

  /// Drops the filter, or returns to the screen that requested the comparison.
  package mutating func stepBack() -> Bool {
    if !sides.only.isEmpty {
      sides.only = [:]
    } else if let ticket = state.ticket {
      session.open(.back(ticket))
    } else {
      return false
    }
    return true
  }
}

// The Payloads screen's part of the actions shared by screens that compare sides.
extension PayloadsScreen {
  package var sides: ComparedSides {
    get { state.sides }
    _modify { yield &state.sides }
  }

  package var payloads: PayloadArchive? { state.payloads }
  package var candidates: (any SideCandidates)? { state.payloads }

  package var rangeSeen: TimeSpan? {
    get { state.rangeSeen }
    set { state.rangeSeen = newValue }
  }

  package var shownSides: Int { state.content.overview?.sides.count ?? 0 }
  package var lackOfFigures: String? { "the payload overview is shown; O or Enter opens a histogram" }
  package var lackOfRows: String? { nil }

  package mutating func show(_ subject: HistogramSubject) { session.open(.histogram(of: subject, sides)) }
  package mutating func showOther() { session.open(.histogram(of: nil, sides)) }
  package mutating func change(_ part: HistogramPart) {}

  /// Opens the selected line: a histogram, the samples of a number, or the folded lines.
  package mutating func enter() {
    if session.history.isGivenUp { return session.history.resume() }
    guard let line = state.content.selectedLine else { return }
    switch (line.content, line.id) {
    case (.figure(let row), _): open(row)
    case (_, .finding(let subject)): state.show(subject)
    default: _ = state.fold(line)
    }
  }

  private mutating func open(_ row: PayloadOverview.Row) {
    state.line = .figure(row.id)
    let figure = row.id.figure
    if row.isTimes {
      return session.open(.histogram(of: .payload(figure.name), sides, isDetour: true))
    }
    let series = session.history.answer?.series.map(\.identity).filter {
      $0.bucket == PayloadArchive.bucket && $0.name == figure.name
    }
    guard let number = series?.first(where: { $0.field == "value" }) ?? series?.first else {
      return session.showToast("\(figure.name) has no numbers of its own")
    }
    openSamples(of: number)
  }

  /// Selects the pressed line, or opens it if it is already selected.
  private mutating func press(_ position: Position) {
    let layout = layout
    guard layout.table.contains(position), layout.step != .tiny else { return }
    let offset = state.content.offset(from: state.offset, rows: layout.rows)
    let line = position.y - layout.table.y - 1 + offset
    guard position.y > layout.table.y, state.content.lines.indices.contains(line) else { return }
    if line == state.content.selected { return enter() }
    state.move(by: line - (state.content.selected ?? 0))
  }
}

// The content, updated once per change.
extension PayloadsScreen {
  var layout: OverviewLayout {
    let frame = ScreenFrame(size: session.size)
    return OverviewLayout(frame.body, frame.step, sides: max(1, shownSides))
  }

  /// Updates the lines and requests the next slice of the summary.
  private mutating func refresh() -> [Effect] {
    guard let archive = state.payloads else { return [] }
    let chosen = OverviewState.Chosen(
      payloads: state.$payloads, sides: sides, window: steady(wantedWindow))
    if state.wanted.key != chosen {
      let key = key(of: archive)
      state.wanted.update(for: chosen) { _ in key }
    }
    guard let key = state.wanted.value, let work = state.refresh(archive, key: key, rows: page) else {
      return []
    }
    return [self.work("overview") { work.run() }]
  }

  private func key(of archive: PayloadArchive) -> OverviewSummary.Key? {
    let named = sides(of: archive)
    guard let a = choice(named.a.choice).map(steady) else { return nil }
    let b = choice(named.b.choice).map(steady)
    return OverviewSummary.Key(
      payloads: state.$payloads, a: a, b: b, names: [named.a.name] + (b == nil ? [] : [named.b.name]))
  }

  /// A window that does not move with every tick of the clock: payloads are days apart.
  private func steady(_ window: Range<Timestamp>?) -> Range<Timestamp>? {
    guard case .last(let length) = sides.range, !session.isFrozen, let window else { return window }
    let step = max(1, length / 64)
    let lower = window.lowerBound.rounded(.down, toMultipleOf: step)
    return lower..<max(lower, window.upperBound.rounded(.up, toMultipleOf: step))
  }

  private func steady(_ choice: SampleCube.Choice) -> SampleCube.Choice {
    var choice = choice
    choice.window = steady(choice.window.map { Range(seconds: $0) })?.seconds
    return choice
  }

  /// The reason for an empty screen and the next step; `nil` if there is content.
  var emptiness: (title: String, next: String)? {
    let history = session.history
    guard history.isAvailable else {
      return ("A pipe has no payloads", "Write the stream to a file and open that")
    }
    if history.isGivenUp { return ("Reading was cancelled", "Enter resumes it") }
    guard state.payloads != nil, mayHavePayloads else {
      if history.answer == nil || history.work != nil || mayHavePayloads {
        return ("Reading the payloads", "")
      }
      return ("The files hold no payloads", "mistertop import records MetricKit payloads in a store")
    }
    guard state.content.lines.isEmpty else { return nil }
    if state.content.overview == nil, state.underWay != nil { return ("Reading the payloads", "") }
    return (
      "No payloads in this selection",
      session.keyHint("c chooses other sides, - a longer range, Esc drops the filter")
    )
  }
}
