import Aggregation
import History
import TerminalUI

// What the actions do on the Histogram screen.
extension Model {
  // MARK: Coming here

  /// Shows the histogram of what another screen is about, in the stretch of time that it shows.
  mutating func showHistogramOfThis() {
    guard screen != .histogram else { return }
    refresh()
    let from = screen
    histogram.cameFrom = from
    guard let subject = seenSubject else { return say("There is no metric with numbers") }
    switch from {
    case .history:
      let chosen = selectedRange ?? history.window
      histogram.range = coversAll(chosen) ? .all : .fixed(chosen)
    case .live: histogram.range = .last(live.window)
    case .sync, .histogram: histogram.range = .all
    }
    // What was compared belongs to what was shown before.
    (histogram.look.a, histogram.look.b, histogram.look.only) = (nil, nil, [:])
    show(.histogram)
    showHistogram(of: subject)
  }

  private func coversAll(_ window: Range<Double>) -> Bool {
    guard let whole = knownRange else { return true }
    return window.lowerBound <= whole.lowerBound && window.upperBound > whole.upperBound
  }

  // MARK: Choosing

  mutating func toggleOverview() {
    histogram.look.isOverview.toggle()
    histogram.isMaximised = false
  }

  mutating func swapSides() {
    guard let source = histogramSource else { return }
    let sides = histogramSides(of: source)
    (histogram.look.a, histogram.look.b) = (sides.b.choice, sides.a.choice)
  }

  /// The next older version as A, the one before it as B; after the oldest the newest again.
  mutating func nextVersion() {
    guard let source = histogramSource, let dimension = source.versionDimension else { return }
    let versions = source.versions
    var place = -1
    if case .label(dimension, .value(let version)) = histogramSides(of: source).a.choice {
      place = versions.firstIndex(of: version) ?? -1
    }
    guard !versions.isEmpty else { return }
    chooseVersion((place + 1) % versions.count, of: versions, dimension)
  }

  /// A version as A, the next older one as B.
  private mutating func chooseVersion(_ place: Int, of versions: [String], _ dimension: String) {
    histogram.look.a = .label(dimension: dimension, value: .value(versions[place]))
    histogram.look.b = nil
  }

  mutating func nextGroup() {
    guard let source = histogramSource else { return }
    let names = source.dimensions.map(\.name)
    guard !names.isEmpty else { return }
    let place = histogram.content.group.flatMap(names.firstIndex) ?? -1
    histogram.look.group = names[(place + 1) % names.count]
    histogram.cursors[.split] = 0
    say("Split by \(names[(place + 1) % names.count])")
  }

  mutating func nextScale() {
    let scales = HistogramGrid.Scale.allCases
    let current = histogram.content.figures?.grid.scale ?? .linear
    let next = scales[((scales.firstIndex(of: current) ?? 0) + 1) % scales.count]
    histogram.look.scale = next
    refreshHistogram()
    let found = histogram.content.figures?.grid.scale
    if found != next {
      // The next time it goes on behind the one that was not possible.
      let after = scales[((scales.firstIndex(of: next) ?? 0) + 1) % scales.count]
      histogram.look.scale = after
      say("\(next.title): not possible here, so \(after.title)")
    } else {
      say(next.title)
    }
  }

  // MARK: The range

  private static let ranges: [Double] = [60, 120, 300, 600, 1800, 3600, 6 * 3600, 86_400, 7 * 86_400]

  /// The range that is longer or shorter than the one that is shown; `nil` where there is none.
  private func range(_ direction: Int) -> HistogramRange? {
    let whole = knownRange.map { $0.upperBound - $0.lowerBound } ?? 0
    let fitting = Self.ranges.filter { $0 < whole }
    let length: Double
    switch histogram.range {
    case .all: return direction < 0 ? fitting.last.map(HistogramRange.last) : nil
    case .last(let seconds): length = seconds
    case .fixed(let window): length = window.upperBound - window.lowerBound
    }
    if direction < 0 { return fitting.last { $0 < length }.map(HistogramRange.last) }
    return fitting.first { $0 > length }.map(HistogramRange.last) ?? .all
  }

  func canZoomHistogram(_ direction: Int) -> Bool { range(direction) != nil }

  mutating func zoomHistogram(_ direction: Int) {
    if let range = range(direction) { histogram.range = range }
  }

  /// How far an arrow moves the playhead, in seconds.
  var histogramStep: Double {
    let length: Double
    switch histogram.range {
    case .all: length = knownRange.map { $0.upperBound - $0.lowerBound } ?? 1
    case .last(let seconds): length = seconds
    case .fixed(let window): length = window.upperBound - window.lowerBound
    }
    return max(length / 20, 0.001)
  }

  /// Moves along the columns of time where these have the keys, else moves the playhead and the range with it.
  mutating func moveAlongHistogram(by steps: Int) {
    if histogram.pane == .course, !histogram.look.isOverview {
      return moveCursor(of: .course, by: steps, count: histogram.content.course.columns.count)
    }
    if case .fixed(let window) = histogram.range {
      histogram.range = .last(window.upperBound - window.lowerBound)
      if !isFrozen { freeze(at: window.upperBound) }
    }
    movePlayhead(to: moment + Double(steps) * histogramStep)
  }

  // MARK: Rows

  mutating func moveHistogramCursor(by rows: Int) {
    if histogram.look.isOverview { return moveOverview(by: rows) }
    switch histogram.pane {
    case .bins:
      moveCursor(of: .bins, by: rows, count: histogram.content.figures?.rows.count ?? 0)
    case .versions: moveCursor(of: .versions, by: rows, count: histogram.content.versions.count)
    case .split: moveCursor(of: .split, by: rows, count: histogram.content.groups.count)
    case .course: moveCursor(of: .course, by: rows, count: histogram.content.course.columns.count)
    case .figures: break
    }
  }

  private mutating func moveCursor(of pane: HistogramPane, by rows: Int, count: Int) {
    guard count > 0 else { return }
    histogram.cursors[pane] = Self.moved(histogramCursor(pane, count), by: rows, count: count)
  }

  /// The selected row of a pane; until one is chosen, that with the most samples of the bins and the last column of time.
  func histogramCursor(_ pane: HistogramPane, _ count: Int) -> Int {
    if let chosen = histogram.cursors[pane] { return max(0, min(count - 1, chosen)) }
    switch pane {
    case .bins:
      let rows = histogram.content.figures?.rows ?? []
      return rows.indices.max { (rows[$0].shareA, -$0) < (rows[$1].shareA, -$1) } ?? 0
    case .course: return max(0, count - 1)
    case .versions, .split, .figures: return 0
    }
  }

  // MARK: Opening and coming back

  /// Goes back to the histogram that samples were opened from, as it was.
  mutating func returnToHistogram(_ before: Playhead) {
    (history.returnPlayhead, history.sampleFilter) = (nil, nil)
    if before == .live, isFrozen {
      goLive()
    } else if case .frozen(let moment) = before {
      movePlayhead(to: moment)
    }
    show(.histogram)
  }

  mutating func enterHistogram() -> [Effect] {
    if histogram.look.isOverview { return enterOverview() }
    let content = histogram.content
    switch histogram.pane {
    case .bins, .figures: openBin()
    case .versions:
      let place = histogramCursor(.versions, content.versions.count)
      guard content.versions.indices.contains(place), let source = histogramSource,
        let dimension = source.versionDimension,
        let version = source.versions.firstIndex(of: content.versions[place].name)
      else { return [] }
      chooseVersion(version, of: source.versions, dimension)
    case .course:
      let place = histogramCursor(.course, content.course.columns.count)
      guard content.course.columns.indices.contains(place) else { return [] }
      openSamples(values: nil, window: content.course.window(ofColumn: place))
    case .split:
      let place = histogramCursor(.split, content.groups.count)
      guard content.groups.indices.contains(place), let group = content.group else { return [] }
      // The same row once more takes the filter away.
      let value = content.groups[place].value
      histogram.look.only[group] = histogram.look.only[group] == value ? nil : value
    }
    return []
  }

  private mutating func openBin() {
    guard let figures = histogram.content.figures, !figures.rows.isEmpty else { return }
    let row = figures.grid.rows[histogramCursor(.bins, figures.rows.count)]
    openSamples(values: row.lower..<max(row.lower.nextUp, row.upper), window: nil)
  }

  /// Shows samples of A on the History screen: those of a bin, or of a stretch of time.
  private mutating func openSamples(values: Range<Double>?, window: Range<Double>?) {
    guard let source = histogramSource, let mine = choice(histogramSides(of: source).a.choice) else { return }
    let seen = window ?? mine.window
    guard let identity = histogram.subject?.rows(in: history.picture) else {
      return say("The files hold bins of payloads here, no samples")
    }
    let isOfSamples = if case .samples = source { true } else { false }
    // The lines of payloads have their version in a field.
    let version = mine.labels[PayloadArchive.versionDimension].map { ["appVersion": $0] } ?? [:]
    let filter = SampleFilter(values: isOfSamples ? values : nil, labels: isOfSamples ? mine.labels : version)
    history.returnPlayhead = playhead
    show(.history)
    focusHistory(on: identity)
    history.sampleFilter = filter == SampleFilter() ? nil : filter
    history.row = .node(.series(identity))
    history.pane = .table
    if let seen, seen.lowerBound > Self.farPast {
      history.span = max(Self.spans.lowerBound, min(Self.spans.upperBound, seen.upperBound - seen.lowerBound))
      history.window = Self.window(from: seen.lowerBound, length: history.span ?? 1)
      freeze(at: seen.upperBound.nextDown)
    } else {
      history.span = nil
    }
    history.cursor = HistoryCursor(anchor: .row(0))
  }
}

extension HistogramSubject {
  /// The series whose lines are shown for it.
  fileprivate func rows(in picture: HistoryPicture?) -> SeriesIdentity? {
    switch self {
    case .series(let series): series
    case .payload(let figure):
      picture?.series.map(\.identity).first { $0.bucket == PayloadArchive.bucket && $0.name == figure }
    }
  }
}

extension HistogramGrid.Scale {
  /// What it is called.
  var title: String {
    switch self {
    case .linear: "rows of one width"
    case .logarithmic: "logarithmic rows"
    case .recorded: "bins as recorded"
    }
  }
}
