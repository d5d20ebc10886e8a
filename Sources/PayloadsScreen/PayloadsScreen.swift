import Aggregation
package import DashboardCore
package import History
import Platform
import TerminalUI

/// The screen of all metric payloads, figure by figure; it shares a tab with the Histogram screen.
package struct PayloadsScreen: ComparingScreen {
  package typealias State = OverviewState
  package typealias View = PayloadsView

  package static let actions =
    comparing + [
      ScreenAction(
        "A figure over all versions", .comparing, name: "figure-over-all-versions", keys: [KeyPress("T")],
        refusal: { $0.shownSides > 0 ? nil : "there are no numbers yet" }
      ) { $0.showTrend() }
    ]
  package var context = ScreenContext(OverviewState())

  package init() {}

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered:
      if let payloads = session.history.answer?.payloads, state.payloads != payloads {
        state.payloads = payloads
      }
      if let original = session.history.answer?.original, let last = state.pages.indices.last {
        state.pages[last].adopt(original)
      }
    case .worked(let result): if let result = result as? OverviewWork.Result { state.adopt(result) }
    case .appeared: adoptRange()
    case .disappeared:
      state.abandonWork()
      (rangeSeen, state.ticket) = (rangeChosenElsewhere, nil)
    case .refresh: return refresh()
    case .moveCursor(let rows), .wheel(let rows, _):
      if let last = state.pages.indices.last {
        state.pages[last].move(by: rows, height: page)
        return []
      }
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
  package var page: Int {
    guard state.pages.isEmpty else {
      let frame = ScreenFrame(size: session.size)
      return OverviewPageView.rows(in: frame.body, frame.step)
    }
    return layout.rows
  }

  package var paneCount: Int { 0 }

  package var query: HistoryQuery? {
    var wanted = HistogramQuery()
    wanted.wantsPayloads = mayHavePayloads
    wanted.original = state.pages.last?.awaited
    return HistoryQuery(window: Timestamp(0)..<Timestamp(1), playhead: Timestamp(0), histogram: wanted)
  }

  package var hasNumbers: Bool { shownSides > 0 }

  package var description: String {
    guard state.pages.isEmpty else { return state.pages.last?.words ?? "" }
    guard let line = state.content.selectedLine, let summary = state.content.summary else {
      return emptiness.map { "\($0.title). \($0.next)" } ?? ""
    }
    return OverviewWords(names: summary.key.names).sentence(line)
  }

  package var command: [String] { snapshotWords + ["--overview"] + sideOptions + rangeOptions }

  package var copiedLines: [String]? {
    let text =
      state.pages.last?.text(session.theme.capabilities.repertoire) ?? state.content.text(session.theme)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
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
    case .payloads(let sides, let ticket, let figure):
      if let sides { (self.sides, state.ticket) = (sides, ticket) }
      (state.pages, state.wantedFigure) = ([], figure)
    case .back(let ticket): returnTo(ticket.playhead)
    case .samples, .distribution, .comparison, .host, .histogram: break
    }
    return []
  }

  package mutating func arrange(_ arrangement: Arrangement) {
    sides = arrangement.options as? ComparedSides ?? ComparedSides()
    arrangeRange(arrangement)
  }

  /// Closes a page, drops the filter, or returns to the screen that requested the comparison.
  package mutating func stepBack() -> Bool {
    if state.pages.popLast() != nil {
      return true
    } else if !sides.only.isEmpty {
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
  package var lackOfFigures: String? { "the payload overview is shown; O opens a histogram" }
  package var lackOfRows: String? { nil }

  package mutating func show(_ subject: HistogramSubject) { session.open(.histogram(of: subject, sides)) }
  /// The histogram of the selected figure, or the last one.
  package mutating func showOther() {
    let row = state.content.overview?.rows.first { row in
      if case .figure(row.id)? = state.content.selectedLine?.subject { row.isTimes } else { false }
    }
    if row != nil { state.line = state.content.selectedLine?.id }
    session.open(
      .histogram(of: row.map { HistogramSubject.payload($0.id.figure.name) }, sides, isDetour: row != nil))
  }
  package mutating func change(_ part: HistogramPart) {}

  /// Opens the page behind the selected row, or folds its lines.
  package mutating func enter() {
    if session.history.isGivenUp { return session.history.resume() }
    guard let summary = state.content.summary else { return }
    let pages = OverviewPages(summary: summary, zone: session.zone)
    if let page = state.pages.last {
      guard let next = page.selectedRow?.target.flatMap(pages.page) else {
        return session.showToast("nothing is behind this row; \(session.keyText("Esc")) goes back")
      }
      state.pages.append(next)
      return
    }
    guard let line = state.content.selectedLine else { return }
    switch line.id {
    case .figure, .fact, .exact, .reason, .note, .finding(.figure):
      state.line = line.id
      if let subject = line.subject, let page = pages.page(of: subject) { state.pages.append(page) }
    case .finding(let subject): state.show(subject)
    default: _ = state.fold(line)
    }
  }

  /// Shows the selected figure over all versions.
  mutating func showTrend() {
    guard let archive = state.payloads, let summary = state.content.summary, state.pages.isEmpty,
      let subject = state.content.selectedLine?.subject
    else { return session.showToast("select a figure or a family to see it over all versions") }
    state.line = state.content.selectedLine?.id
    let trend = OverviewTrend(archive: archive, common: common, theme: session.theme)
    let real = summary.reader.facts.filter { !$0.isSimulated }
    switch subject {
    case .figure(let id):
      if let row = summary.overview.rows.first(where: { $0.id == id }) { state.pages = [trend.page(of: row)] }
    case .kind(let kind):
      let facts = real.filter { $0.kind == kind }
      state.pages = [trend.page(DiagnosticKindWords.title(kind), facts, of: facts)]
    case .family(let id):
      let facts = summary.reader.facts.filter { $0.family == id }
      let all = real.filter { $0.kind == id.signature.kind }
      state.pages = [trend.page(id.signature.words, facts, of: all)]
    }
  }

  /// Selects the pressed line, or opens it if it is already selected.
  private mutating func press(_ position: Position) {
    if let last = state.pages.indices.last { return press(position, onPage: last) }
    let layout = layout
    guard layout.table.contains(position), layout.step != .tiny else { return }
    let offset = state.content.offset(from: state.offset, rows: layout.rows)
    let line = position.y - layout.table.y - 1 + offset
    guard position.y > layout.table.y, state.content.lines.indices.contains(line) else { return }
    if line == state.content.selected { return enter() }
    state.move(by: line - (state.content.selected ?? 0))
  }
}

extension PayloadsScreen {
  private mutating func press(_ position: Position, onPage last: Int) {
    let frame = ScreenFrame(size: session.size)
    let table = OverviewPageView.table(in: frame.body, frame.step)
    guard table.contains(position), position.y > table.y else { return }
    let row = position.y - table.y - 1 + state.pages[last].offset
    guard state.pages[last].rows.indices.contains(row) else { return }
    if row == state.pages[last].selected { return enter() }
    state.pages[last].move(by: row - state.pages[last].selected, height: page)
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
    guard let key = state.wanted.value else { return [] }
    let work = state.refresh(archive, key: key, rows: page, symbols: session.symbols)
    openWantedFigure()
    return work.map { work in [self.work("overview") { work.run() }] } ?? []
  }

  /// Opens the payloads of the figure that another screen asked for, once it is known.
  private mutating func openWantedFigure() {
    guard let wanted = state.wantedFigure, let summary = state.content.summary, summary.key == state.key
    else { return }
    let row = summary.overview.rows.first { $0.id.figure.name == wanted && $0.id.part == .whole }
    guard let row else { return state.wantedFigure = nil }
    guard row.isKnown else { return }
    (state.wantedFigure, state.line) = (nil, .figure(row.id))
    let pages = OverviewPages(summary: summary, zone: session.zone)
    state.pages = pages.page(of: .figure(row.id)).map { [$0] } ?? []
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
