import Aggregation
import Codecs
import Platform
import QueryLanguage

/// Finds the series that are beyond the limits set by the user.
///
/// Depends only on the store and the edge of the window, not on what was shown before: a file opened later yields the
/// same result.
struct LimitScanner {
  let store: SeriesStore
  let edge: Timestamp
  let window: Double
  /// The moment from which ages are measured.
  let moment: Timestamp
  let limits: LimitSet
  /// Units set by the user, by `bucket.name`.
  var units: [String: ValueUnit] = [:]
  /// Time of the newest sample of all series; once samples stop arriving, the rest of the window is no news.
  var newest: Timestamp?
  /// The lasting excesses of the previous scan, replaced by those of this one, so that known starts are not searched
  /// again.
  var lasting: [LastingExcess.Key: LastingExcess] = [:]
  /// Maximum number of past figures one scan computes, so that no limit blocks the screen.
  var looksLeft = 20_000

  /// The series named by calculations of limits.
  var references = ReferencedSeries()

  /// Seconds under a limit after which another excess begins.
  private static let excessGap = 10.0

  /// The excesses, newest first.
  mutating func scan() -> [ChangeEvent] {
    var events: [ChangeEvent] = []
    references = ReferencedSeries(limits.references, in: store)
    defer { lasting = lasting.filter { $0.value.seenAt == limitEdge || $0.key.limit.figure == .age } }
    for id in store.allSeries {
      guard let identity = store.identity(of: id), limits.covers(identity.fullName),
        store.isActive(id, before: edge)
      else { continue }
      events += overLimits(id, identity, figures(of: id, at: edge))
    }
    return events.sorted { ($1.time, $0.subject) < ($0.time, $1.subject) }
  }

  /// Seconds without any sample after which figures are computed at the newest sample.
  private static let pause = 5.0

  /// The end of the window whose figures are compared with limits.
  private var limitEdge: Timestamp {
    newest.flatMap { edge - $0 > Self.pause ? $0 : nil } ?? edge
  }

  /// - Parameter now: The summary of the window, with the percentiles of ``LimitFigures``.
  private mutating func overLimits(_ id: SeriesID, _ identity: SeriesIdentity, _ now: SeriesSummary)
    -> [ChangeEvent]
  {
    var events: [ChangeEvent] = []
    for limit in limits.limits(of: identity.fullName, in: identity.unit(units)) {
      // Without new samples only the age keeps growing.
      let end = limit.figure == .age ? moment : limitEdge
      let summary = end == edge || limit.figure == .age ? now : figures(of: id, at: end)
      let key = LastingExcess.Key(limit: limit, series: id)
      guard let look = look(limit, id, identity, summary, at: end), look.isBeyond || look.isKept,
        let since = start(ofExcessOver: limit, of: id, identity, at: end, summary)
      else {
        lasting[key] = nil
        continue
      }
      lasting[key] = LastingExcess(start: since, seenAt: end)
      var event = event(of: limit, identity, look, since: since, at: end)
      event.isBack = isBack(within: limit, look, of: id, since: since)
      events.append(event)
    }
    return events
  }

  /// True if all newest samples are within a limit that the figure of the whole window still exceeds.
  private func isBack(
    within limit: MetricLimit, _ look: LimitLook, of id: SeriesID, since start: Timestamp
  ) -> Bool {
    let from = edge - Self.backSpan
    guard look.isBeyond, limit.figure.isOfValues, look.sides == nil, start < from else { return false }
    let newest = store.summary(of: id, from: from, to: edge).moments
    guard newest.count >= Self.backCount else { return false }
    return limit.isFloor ? newest.minimum > limit.bound : newest.maximum < limit.bound
  }

  /// The seconds examined for that, and the minimum number of samples in them.
  private static let (backSpan, backCount) = (5.0, 3)

  fileprivate func figures(of id: SeriesID, at end: Timestamp) -> SeriesSummary {
    store.summary(of: id, from: end - window, to: end, percentiles: LimitFigures.percentiles)
  }

  private func event(
    of limit: MetricLimit, _ identity: SeriesIdentity, _ look: LimitLook, since: Timestamp, at end: Timestamp
  ) -> ChangeEvent {
    let length = DurationFormat.text(max(0, end - since))
    let unit = identity.unit(units)
    let figure = "\(limit.subject) \(limit.text(look, unit))"
    let excess = "\(figure) \(limit.sign) \(limit.boundText(look, unit))"
    let text =
      look.isBeyond
      ? "\(excess) for \(length)"
      : "\(figure), not yet back at \(limit.clearText(look, unit)) for \(length)"
    var event = ChangeEvent(
      kind: .overLimit, time: since, series: identity, subject: identity.fullName, text: text)
    let beyond = ChangeEvent.Excess(limit: limit, look: look)
    event.excess = beyond
    event.severity = Severity(isOfNumbers: limit.figure.isOfValues, size: beyond.ratio)
    event.lead = look.isBeyond ? "\(figure), limit \(limit.boundText(look, unit))" : text
    event.core = look.isBeyond ? excess : text
    return event
  }

  private mutating func start(
    ofExcessOver limit: MetricLimit, of id: SeriesID, _ identity: SeriesIdentity, at end: Timestamp,
    _ now: SeriesSummary
  ) -> Timestamp? {
    if limit.isPlain { return startBySecond(ofExcessOver: limit, of: id, at: end) ?? now.start ?? end }
    let step = max(1, window / 60)
    // A limit with a duration of an hour needs a search that reaches further back.
    let patience = limit.duration + 2 * step
    let course = LimitCourse(
      limit: limit, step: step, reach: max(Session.reach, patience),
      lookLimit: max(60, Int(patience / step) + 2, min(LimitCourse.longest, looksLeft))
    ) { [self] moment in
      look(limit, id, identity, figures(of: id, at: moment), at: moment)
    }
    let known = lasting[LastingExcess.Key(limit: limit, series: id)]
    if let known, course.lasts(from: known.seenAt, to: end) { return known.start }
    let start = course.start(ofExcessAt: end)
    looksLeft -= start.map { Int((end - $0) / course.step) } ?? 1
    return start
  }

  /// The values that a limit compares in the window that ends at a moment; `nil` without a value.
  private func look(
    _ limit: MetricLimit, _ id: SeriesID, _ identity: SeriesIdentity, _ summary: SeriesSummary,
    at end: Timestamp
  ) -> LimitLook? {
    guard let calculation = limit.calculation else {
      return value(of: limit.figure, of: id, in: summary, at: end).map { limit.look(at: $0) }
    }
    let subject = LimitSubject(scanner: self, identity: identity, id: id, summary: summary, moment: end)
    return calculation.sides(for: subject).map(limit.look)
  }

  /// A figure of the window that ends at a moment.
  fileprivate func value(
    of figure: QueryFigure, of id: SeriesID, in summary: SeriesSummary, at moment: Timestamp
  ) -> Double? {
    guard figure == .age else { return LimitFigures.value(of: figure, in: summary) }
    if let last = summary.end { return max(0, moment - last) }
    // An empty window: the newest sample precedes it, unless the metric began later.
    let tally = store.tally(of: id)
    guard tally.start <= moment else { return nil }
    return max(window, moment - tally.end)
  }

  /// The start of the current excess, after ten seconds or more within the limit, determined second by second over the
  /// whole hour, so that neither the window nor its edge shifts it.
  private func startBySecond(ofExcessOver limit: MetricLimit, of id: SeriesID, at edge: Timestamp)
    -> Timestamp?
  {
    let end = edge.rounded(.up, toMultipleOf: 1)
    let seconds = store.columns(of: id, from: end - Session.reach, to: end, count: Int(Session.reach))
    var start: Timestamp?
    // Seconds without samples do not count as under the limit.
    var wasUnder = false
    for second in seconds.reversed().lazy.compactMap({ $0 }) where second.numbers > 0 {
      guard limit.isBeyond(limit.isFloor ? second.minimum : second.maximum) else {
        wasUnder = true
        continue
      }
      if let start, wasUnder, start - second.end > Self.excessGap { break }
      (start, wasUnder) = (second.start, false)
    }
    return start
  }
}

/// A series as seen by the calculation of a limit, at the end of a window.
private struct LimitSubject: QuerySubject {
  let scanner: LimitScanner
  let identity: SeriesIdentity
  let id: SeriesID
  let summary: SeriesSummary
  let moment: Timestamp

  var name: String { identity.fullName }

  var unit: ValueUnit { identity.unit(scanner.units) }

  func figure(_ figure: QueryFigure) -> Double? {
    scanner.value(of: figure, of: id, in: summary, at: moment)
  }

  func figure(of reference: FigureReference) -> ReferencedFigure? {
    guard let found = scanner.references.find(reference, from: identity.bucket) else { return nil }
    let summary = found.id == id ? summary : scanner.figures(of: found.id, at: moment)
    let other = LimitSubject(
      scanner: scanner, identity: found.identity, id: found.id, summary: summary, moment: moment)
    return ReferencedFigure(
      name: other.name, figure: found.figure, unit: other.unit, value: other.figure(found.figure))
  }

  func isInState(_ state: QueryState) -> Bool { false }

  func hasSamples(where comparison: FieldComparison) -> Bool { false }
}

/// The figures that limits compare.
package enum LimitFigures {
  static let percentiles = [50.0, 95, 99]

  /// A figure of a window, except for the age; `nil` for a figure of values where the window has no number.
  static func value(of figure: QueryFigure, in summary: SeriesSummary) -> Double? {
    if figure == .n { return Double(summary.count) }
    if figure == .rate { return summary.rate }
    guard summary.moments.count > 0, summary.quantiles.count == percentiles.count else { return nil }
    switch figure {
    case .p50: return summary.quantiles[0].value
    case .p95: return summary.quantiles[1].value
    case .p99: return summary.quantiles[2].value
    case .max: return summary.moments.maximum
    case .min: return summary.moments.minimum
    case .mean: return summary.moments.mean
    case .now: return summary.last
    case .n, .rate, .age: return nil
    }
  }
}
