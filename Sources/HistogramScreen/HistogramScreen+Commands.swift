import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

extension HistogramScreen {
  /// The lengths that zooming goes through, in seconds.
  fileprivate static let ranges: [Double] = [60, 120, 300, 600, 1800, 3600, 6 * 3600, 86_400, 7 * 86_400]
}

// The effects of the actions on the Histogram screen.
extension HistogramScreen {
  // MARK: Coming here

  /// Takes over what the person looked at elsewhere: the metric, where it has numbers, and how much of the past.
  mutating func appear(about subjects: [SeriesIdentity]) {
    state.subjects = subjects
    if state.subject != nil, state.wantedMetric == nil {
      // All figures of payloads stay in front until the person leaves them.
      let isOverview = state.options.isOverview
      showSeen()
      state.options.isOverview = isOverview
    }
    // A range that was chosen here by other means stays until one is chosen elsewhere.
    guard let range = chosenElsewhere, range != state.seen else { return }
    state.range = range
  }

  /// Shows the metric that the person saw last; where that has nothing to compare, the one that the last release changed
  /// most.
  ///
  /// - Returns: Whether there is one.
  @discardableResult
  mutating func showSeen() -> Bool {
    if let seen = state.subjects.first, session.isComparable(seen) {
      show(HistogramSubject(seen))
      return true
    }
    if state.isSubstitute { return true }
    guard let other = session.strongestChange else {
      state.isSubstitute = state.subject != nil && !state.subjects.isEmpty
      return false
    }
    show(.series(other))
    state.isSubstitute = true
    return true
  }

  /// The range that the person selected in the history, or else zoomed to on any screen.
  var chosenElsewhere: TimeSpan? {
    if let selection = session.selection { return .fixed(selection) }
    switch session.zoom {
    case nil: return nil
    case .usual: return .all
    case .length(let length): return .last(length)
    }
  }

  /// Shows the histogram of the first series that has numbers.
  mutating func showDistribution(of subjects: [SeriesIdentity], _ span: TimeSpan) {
    guard let subject = firstSubject(of: subjects) else { return }
    if case .fixed(let window) = span, coversAll(window) { state.range = .all } else { state.range = span }
    // The compared sides belong to what was shown before.
    (state.options.a, state.options.b, state.options.only) = (nil, nil, [:])
    show(subject)
  }

  private func coversAll(_ window: Range<Timestamp>) -> Bool {
    guard let whole = session.knownRange else { return true }
    return window.lowerBound <= whole.lowerBound && window.upperBound > whole.upperBound
  }

  // MARK: Choosing

  mutating func toggleOverview() {
    state.options.isOverview.toggle()
    state.isMaximised = false
  }

  mutating func swapSides() {
    guard let source else { return }
    let sides = sides(of: source)
    (state.options.a, state.options.b) = (sides.b.choice, sides.a.choice)
  }

  /// The next older version as A, the one before it as B; after the oldest the newest again.
  mutating func nextVersion() {
    guard let source, let dimension = source.versionDimension else { return }
    let versions = source.versions
    var place = -1
    if case .label(dimension, .value(let version)) = sides(of: source).a.choice {
      place = versions.firstIndex(of: version) ?? -1
    }
    guard !versions.isEmpty else { return }
    chooseVersion((place + 1) % versions.count, of: versions, dimension)
  }

  /// A version as A, the next older one as B.
  private mutating func chooseVersion(_ place: Int, of versions: [String], _ dimension: String) {
    state.options.a = .label(dimension: dimension, value: .value(versions[place]))
    state.options.b = nil
    widenRange()
  }

  /// Takes all times where a side has no sample in the range.
  mutating func widenRange() {
    guard state.range != .all, let source else { return }
    let sides = sides(of: source)
    let isEmpty = { (side: NamedChoice) in choice(side.choice).map { !source.has($0) } ?? false }
    guard let empty = [sides.a, sides.b].first(where: isEmpty) else { return }
    let range = rangeText
    state.range = .all
    session.showToast("All times: \(empty.name) has no samples in the \(range)")
  }

  mutating func nextGroup() {
    guard let source else { return }
    let names = source.dimensions.map(\.name)
    guard !names.isEmpty else { return }
    let place = state.content.group.flatMap(names.firstIndex) ?? -1
    state.options.group = names[(place + 1) % names.count]
    state.cursors[.split] = 0
    session.showToast("Split by \(names[(place + 1) % names.count])")
  }

  mutating func nextScale() {
    let scales = HistogramGrid.Scale.allCases
    guard let figures = state.content.figures else { return }
    let next = scales[((scales.firstIndex(of: figures.grid.scale) ?? 0) + 1) % scales.count]
    state.options.scale = next
    let found = HistogramGrid(next, for: figures.a.bins + (figures.b?.bins ?? []), rows: layout.binRows).scale
    if found != next {
      // The next time it goes on behind the one that was not possible.
      let after = scales[((scales.firstIndex(of: next) ?? 0) + 1) % scales.count]
      state.options.scale = after
      session.showToast("\(next.title): not possible here; showing \(after.title)")
    } else {
      session.showToast(next.title)
    }
  }

  // MARK: The range

  /// The range that is longer or shorter than the one that is shown; `nil` where there is none.
  private func range(_ direction: Int) -> TimeSpan? {
    let whole = session.knownRange.map { $0.upperBound - $0.lowerBound } ?? 0
    let fitting = HistogramScreen.ranges.filter { $0 < whole }
    let length: Double
    switch state.range {
    case .all: return direction < 0 ? fitting.last.map(TimeSpan.last) : nil
    case .last(let seconds): length = seconds
    case .fixed(let window): length = window.upperBound - window.lowerBound
    }
    if direction < 0 { return fitting.last { $0 < length }.map(TimeSpan.last) }
    return fitting.first { $0 > length }.map(TimeSpan.last) ?? .all
  }

  func canZoom(_ direction: Int) -> Bool { range(direction) != nil }

  mutating func zoom(_ direction: Int) {
    guard let range = range(direction) else { return }
    state.range = range
    if case .last(let length) = range { session.zoom = .length(length) } else { session.zoom = .usual }
  }

  /// All times, and rows that fit what is there.
  mutating func resetZoom() {
    (state.range, session.zoom) = (.all, .usual)
    state.fitted = HistogramFit(numbers: state.numbers, window: window)
  }

  /// How far an arrow moves the playhead, in seconds.
  private var step: Double {
    let length: Double
    switch state.range {
    case .all: length = session.knownRange.map { $0.upperBound - $0.lowerBound } ?? 1
    case .last(let seconds): length = seconds
    case .fixed(let window): length = window.upperBound - window.lowerBound
    }
    return max(length / 20, 0.001)
  }

  /// Moves along the columns of time where these have the keys, else moves the playhead and the range with it.
  mutating func movePlayhead(by steps: Int) {
    if state.pane == .course, !state.options.isOverview {
      return moveCursor(of: .course, by: steps, count: state.content.course.columns.count)
    }
    if case .fixed(let window) = state.range {
      state.range = .last(window.upperBound - window.lowerBound)
      if !session.isFrozen { session.freeze(at: window.upperBound) }
    }
    session.movePlayhead(to: session.present + Double(steps) * step)
  }

  // MARK: Rows

  mutating func moveCursor(by rows: Int) {
    if state.options.isOverview { return moveOverview(by: rows) }
    switch state.pane {
    case .bins:
      moveCursor(of: .bins, by: rows, count: state.content.figures?.rows.count ?? 0)
    case .versions: moveCursor(of: .versions, by: rows, count: state.content.versions.count)
    case .split: moveCursor(of: .split, by: rows, count: state.content.groups.count)
    case .course: moveCursor(of: .course, by: rows, count: state.content.course.columns.count)
    case .figures: break
    }
  }

  private mutating func moveCursor(of pane: HistogramPane, by rows: Int, count: Int) {
    guard count > 0 else { return }
    state.cursors[pane] = Session.moved(cursor(pane, count), by: rows, count: count)
  }

  /// The selected row of a pane; until one is chosen, that with the most samples of the bins and the last column of time.
  func cursor(_ pane: HistogramPane, _ count: Int) -> Int {
    if let chosen = state.cursors[pane] { return max(0, min(count - 1, chosen)) }
    switch pane {
    case .bins:
      let rows = state.content.figures?.rows ?? []
      return rows.indices.max { (rows[$0].shareA, -$0) < (rows[$1].shareA, -$1) } ?? 0
    case .course: return max(0, count - 1)
    case .versions, .split, .figures: return 0
    }
  }

  // MARK: Opening

  mutating func enter() {
    if state.options.isOverview { return enterOverview() }
    let content = state.content
    switch state.pane {
    case .bins, .figures: openBin()
    case .versions:
      let row = cursor(.versions, content.versions.count)
      guard content.versions.indices.contains(row), let source, let dimension = source.versionDimension,
        let version = source.versions.firstIndex(of: content.versions[row].name)
      else { return }
      chooseVersion(version, of: source.versions, dimension)
    case .course:
      let column = cursor(.course, content.course.columns.count)
      guard content.course.columns.indices.contains(column) else { return }
      openSamples(values: nil, window: content.course.window(ofColumn: column))
    case .split:
      let row = cursor(.split, content.groups.count)
      guard content.groups.indices.contains(row), let group = content.group else { return }
      // The same row once more takes the filter away.
      let value = content.groups[row].value
      state.options.only[group] = state.options.only[group] == value ? nil : value
    }
  }

  private mutating func openBin() {
    guard let figures = state.content.figures, !figures.rows.isEmpty else { return }
    let row = figures.grid.rows[cursor(.bins, figures.rows.count)]
    openSamples(values: row.lower..<max(row.lower.nextUp, row.upper), window: nil)
  }

  /// Has samples of A shown one by one: those of a bin, or of a stretch of time.
  private mutating func openSamples(values: Range<Double>?, window: Range<Timestamp>?) {
    guard let source, let mine = choice(sides(of: source).a.choice) else { return }
    let seen = window ?? mine.window.map { Range(seconds: $0) }
    guard let identity = state.subject?.rows(in: session.history.answer) else {
      return session.showToast("These are bins of payloads; the files hold no single samples")
    }
    let filter: SampleFilter
    switch source {
    case .samples: filter = SampleFilter(values: values, labels: mine.labels)
    case .texts: filter = SampleFilter(labels: mine.labels)
    case .payloads:
      // The lines of payloads have their version in a field.
      let version = mine.labels[PayloadArchive.versionDimension].map { ["appVersion": $0] } ?? [:]
      filter = SampleFilter(labels: version)
    }
    let range = seen.flatMap { $0.lowerBound > HistogramScreen.farPast ? $0 : nil }
    openSamples(
      of: identity, filter: filter == SampleFilter() ? nil : filter,
      window: range.map(SampleRequest.WindowRequest.range) ?? .whole)
  }

  /// Has samples shown one by one; the way back leads here, to this moment.
  mutating func openSamples(
    of series: SeriesIdentity, filter: SampleFilter? = nil,
    window: SampleRequest.WindowRequest = .unchanged
  ) {
    session.open(
      .samples(SampleRequest(series: series, filter: filter, window: window, ticket: returnTicket)))
  }

  // MARK: Coming back and leaving

  /// Stands where the screen stood when samples were opened.
  mutating func returnTo(_ before: Playhead) {
    switch before {
    case .live: if session.isFrozen { session.goLive() }
    case .frozen(let moment): session.movePlayhead(to: moment)
    }
  }

  /// Leaves a pane that has all the room, drops the filter, or returns to the overview or the screen that the histogram
  /// was opened from.
  ///
  /// - Returns: Whether there was anything.
  package mutating func stepBack() -> Bool {
    if state.isMaximised {
      state.isMaximised = false
    } else if !state.options.only.isEmpty {
      state.options.only = [:]
    } else if state.isFromOverview, !state.options.isOverview {
      (state.options.isOverview, state.isFromOverview) = (true, false)
    } else if let ticket = state.ticket {
      session.open(.back(ticket))
    } else {
      return false
    }
    return true
  }
}

extension HistogramSubject {
  /// The series whose lines are shown for it.
  fileprivate func rows(in answer: HistoryAnswer?) -> SeriesIdentity? {
    switch self {
    case .series(let series): series
    case .payload(let figure):
      answer?.series.map(\.identity).first { $0.bucket == PayloadArchive.bucket && $0.name == figure }
    }
  }
}

extension HistogramGrid.Scale {
  /// The scale's name.
  var title: String {
    switch self {
    case .linear: "bins of equal width"
    case .logarithmic: "logarithmic bins"
    case .recorded: "bins as recorded"
    }
  }
}
