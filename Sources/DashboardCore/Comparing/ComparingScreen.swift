package import Aggregation
import Codecs
package import History
package import Platform
import TerminalUI

/// A screen that compares two sides: the Histogram screen, or the one of all that payloads tell, which share a tab.
package protocol ComparingScreen: Screen {
  /// The person's choice of sides.
  var sides: ComparedSides { get set }
  /// The samples that sides can be chosen from; `nil` until they are known.
  var candidates: (any SideCandidates)? { get }
  /// The payloads of the files; `nil` until they are known.
  var payloads: PayloadArchive? { get }
  /// The stretch of time that both sides are of; `nil` for all there is.
  var window: Range<Timestamp>? { get }
  /// The range that was chosen on other screens when this one was left.
  var rangeSeen: TimeSpan? { get set }
  /// How many sides are shown; none until there are numbers.
  var shownSides: Int { get }
  /// Why there are no figures of one histogram; `nil` where there are.
  var lackOfFigures: String? { get }
  /// Why nothing can be opened; `nil` where something can.
  var lackOfRows: String? { get }

  /// Shows the numbers of something.
  mutating func show(_ subject: HistogramSubject)
  /// Shows all that payloads tell, or one histogram again.
  mutating func showOther()
  mutating func enter()
  /// Changes what a histogram is drawn with.
  mutating func change(_ part: HistogramPart)
}

/// A part of how a histogram is drawn that a key changes.
package enum HistogramPart: Sendable {
  case group, percentiles, scale, lens, few
}

extension ScreenTitle {
  /// The tab of the screens that compare sides.
  package static let histogram = ScreenTitle(name: "histogram", title: "Histogram", shortTitle: "Bins")
}

// Actions of the screens that compare sides.
extension ComparingScreen {
  package static var title: ScreenTitle { .histogram }

  package static var asksHistory: Bool { true }

  /// The question does not change with the clock, so the tail tells that there is more.
  package var isAgedBySamples: Bool { !session.isFrozen }

  package var railWindow: Range<Timestamp> { window ?? Self.farPast..<session.now.nextUp }

  package var window: Range<Timestamp>? { wantedWindow }

  package static var comparing: [ScreenAction<Self>] {
    choosing + drawing + ScreenAction.freezing + ScreenAction.zooming { $0.range($1) != nil }
  }

  private static var choosing: [ScreenAction<Self>] {
    let needsFigures: @Sendable (Self) -> String? = { $0.lackOfFigures }
    return [
      ScreenAction(
        "Choose the metric", .comparing, keys: [KeyPress("/")],
        refusal: { $0.session.history.isAvailable ? nil : "this input has no history" }
      ) { $0.session.startPicker(.metric) },
      ScreenAction("Choose what A and B are", .comparing, keys: [KeyPress("c")], refusal: { $0.lackOfSides })
      {
        $0.session.startPicker(.sideA)
      },
      ScreenAction(
        "Swap A and B", .comparing, name: "a-and-b-change-places", keys: [KeyPress("U")],
        refusal: { $0.lackOfSides ?? ($0.shownSides > 1 ? nil : "there is no B") }
      ) { $0.swapSides() },
      ScreenAction(
        "Compare the next older version with the one before it", .comparing,
        name: "next-older-version-against-the-one-before-it", keys: [KeyPress("V")],
        refusal: {
          $0.lackOfSides ?? ($0.candidates?.versionDimension == nil ? "there are no versions" : nil)
        }
      ) { $0.nextVersion() },
      ScreenAction(
        "Split by the next field", .comparing, keys: [KeyPress("d")],
        refusal: {
          $0.lackOfFigures
            ?? ($0.candidates?.dimensions.isEmpty ?? true ? "there is nothing to split by" : nil)
        }
      ) { $0.change(.group) },
      ScreenAction("Choose the percentiles", .comparing, keys: [KeyPress("P")], refusal: needsFigures) {
        $0.change(.percentiles)
      },
      ScreenAction(
        "Everything in the payloads, or one histogram", .comparing, name: "all-that-payloads-tell",
        keys: [KeyPress("O")], refusal: { $0.mayHavePayloads ? nil : "the files hold no payloads" }
      ) { $0.showOther() },
    ]
  }

  private static var drawing: [ScreenAction<Self>] {
    let needsFigures: @Sendable (Self) -> String? = { $0.lackOfFigures }
    return [
      ScreenAction(
        "Bins of equal width, logarithmic, or as recorded", .comparing, name: "rows-of-one-width",
        keys: [KeyPress("L")], refusal: needsFigures
      ) { $0.change(.scale) },
      ScreenAction(
        "Magnify the tail, or not", .comparing, name: "lens-on-the-tail-on-or-off", keys: [KeyPress("x")],
        refusal: needsFigures
      ) { $0.change(.lens) },
      ScreenAction(
        "Show or hide versions with few samples", .comparing, name: "versions-with-few-samples-on-or-off",
        keys: [KeyPress("~")], refusal: needsFigures
      ) { $0.change(.few) },
      ScreenAction(
        "Open this bin's samples; compare this version; keep only this group", .comparing,
        name: "samples-of-this-row", keys: [KeyPress(.enter)],
        refusal: { $0.lackOfRows }
      ) { $0.enter() },
    ]
  }

  /// Why no sides can be chosen yet; `nil` where they can.
  package var lackOfSides: String? { shownSides > 0 ? nil : "there are no numbers yet" }

  package var mayHavePayloads: Bool {
    session.history.answer?.series.contains { $0.identity.bucket == PayloadArchive.bucket } ?? false
  }

  // MARK: Sides

  private mutating func swapSides() {
    guard let candidates else { return }
    let named = sides(of: candidates)
    (sides.a, sides.b) = (named.b.choice, named.a.choice)
  }

  /// The next older version as A, the one before it as B; after the oldest the newest again.
  private mutating func nextVersion() {
    guard let candidates, let dimension = candidates.versionDimension else { return }
    let versions = candidates.versions
    var place = -1
    if case .label(dimension, .value(let version)) = sides(of: candidates).a.choice {
      place = versions.firstIndex(of: version) ?? -1
    }
    guard !versions.isEmpty else { return }
    compare(version: versions[(place + 1) % versions.count], of: dimension)
  }

  /// A version as A, the next older one as B.
  package mutating func compare(version: String, of dimension: String) {
    sides.a = .label(dimension: dimension, value: .value(version))
    sides.b = nil
    widenRange()
  }

  /// Takes all times where a side has no sample in the range.
  package mutating func widenRange() {
    guard sides.range != .all, let candidates else { return }
    let named = sides(of: candidates)
    let isEmpty = { (side: NamedChoice) in choice(side.choice).map { !candidates.has($0) } ?? false }
    guard let empty = [named.a, named.b].first(where: isEmpty) else { return }
    let range = rangeText
    sides.range = .all
    session.showToast("All times: \(empty.name) has no samples in the \(range)")
  }

  // MARK: The range

  /// The range that the person selected in the history, or else zoomed to on any screen.
  package var rangeChosenElsewhere: TimeSpan? {
    if let selection = session.selection { return .fixed(selection) }
    switch session.zoom {
    case nil: return nil
    case .usual: return .all
    case .length(let length): return .last(length)
    }
  }

  /// Takes over how much of the past the person looked at elsewhere.
  ///
  /// A range that was chosen here by other means stays until one is chosen elsewhere.
  package mutating func adoptRange() {
    guard let range = rangeChosenElsewhere, range != rangeSeen else { return }
    sides.range = range
  }

  /// How much of the past a command line wants to have compared.
  package mutating func arrangeRange(_ arrangement: Arrangement) {
    if let moment = arrangement.moment { session.freeze(at: moment) }
    if let length = arrangement.length, length.isFinite, length > 0 { sides.range = .last(length) }
  }

  /// The length of the range in seconds; `nil` for all of it.
  private var rangeLength: Double? {
    switch sides.range {
    case .all: nil
    case .last(let seconds): seconds
    case .fixed(let window): window.upperBound - window.lowerBound
    }
  }

  private var wholeLength: Double? { session.knownRange.map { $0.upperBound - $0.lowerBound } }

  /// The range that is longer or shorter than the one that is shown; `nil` where there is none.
  private func range(_ direction: Int) -> TimeSpan? {
    let fitting = RangeLengths.zoomed.filter { $0 < wholeLength ?? 0 }
    guard let length = rangeLength else { return direction < 0 ? fitting.last.map(TimeSpan.last) : nil }
    if direction < 0 { return fitting.last { $0 < length }.map(TimeSpan.last) }
    return fitting.first { $0 > length }.map(TimeSpan.last) ?? .all
  }

  package mutating func zoom(_ direction: Int) {
    guard let range = range(direction) else { return }
    sides.range = range
    if case .last(let length) = range { session.zoom = .length(length) } else { session.zoom = .usual }
  }

  /// All times.
  package mutating func resetRange() { (sides.range, session.zoom) = (.all, .usual) }

  /// Moves the playhead, and the range with it.
  package mutating func moveRange(by steps: Int) {
    if case .fixed(let window) = sides.range {
      sides.range = .last(window.upperBound - window.lowerBound)
      if !session.isFrozen { session.freeze(at: window.upperBound) }
    }
    let step = max((rangeLength ?? wholeLength ?? 1) / 20, 0.001)
    session.movePlayhead(to: session.present + Double(steps) * step)
  }

  // MARK: Leaving

  /// Has samples shown one by one; the way back leads here, to this moment.
  package mutating func openSamples(
    of series: SeriesIdentity, filter: SampleFilter? = nil,
    window: SampleRequest.WindowRequest = .unchanged
  ) {
    session.open(
      .samples(SampleRequest(series: series, filter: filter, window: window, ticket: returnTicket)))
  }

  /// Stands where the screen stood when samples were opened.
  package mutating func returnTo(_ before: Playhead) {
    switch before {
    case .live: if session.isFrozen { session.goLive() }
    case .frozen(let moment): session.movePlayhead(to: moment)
    }
  }
}

/// Lengths of ranges, in seconds.
enum RangeLengths {
  /// Those that zooming goes through.
  static let zoomed: [Double] = [60, 120, 300, 600, 1800, 3600, 6 * 3600, 86_400, 7 * 86_400]
  /// Those that a side may be the last of.
  static let last: [Double] = [120, 600, 3600, 86_400]
}
