import Aggregation
import Codecs
import Platform
import QueryLanguage

/// Finds the series that are beyond the limits that a person set.
///
/// Depends on the store and the edge of the window alone, not on what was shown before: a file that is opened later
/// tells the same story.
struct LimitScanner {
  let store: SeriesStore
  let edge: Timestamp
  let window: Double
  /// The moment that ages are measured to.
  let moment: Timestamp
  let limits: LimitSet
  /// Units told by the person, by `bucket.name`.
  var units: [String: ValueUnit] = [:]
  /// The newest sample of all; where none comes any more, what is left in the window is no news.
  var newest: Timestamp?
  /// The excesses that lasted at the scan before, then those of this one: their starts are not looked for again.
  var lasting: [LastingExcess.Key: LastingExcess] = [:]
  /// Looks back at figures that one scan makes at most, so that no limit holds up the screen.
  var looksLeft = 20_000

  /// The series that calculations of limits name.
  var references = ReferencedSeries()

  /// Seconds under a limit after which going over it is another excess.
  private static let excessGap = 10.0

  /// The events, from the newest on.
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

  /// Seconds without any sample after which figures are those of the newest one.
  private static let pause = 5.0

  /// The end of the window whose figures are held against limits.
  private var limitEdge: Timestamp {
    newest.flatMap { edge - $0 > Self.pause ? $0 : nil } ?? edge
  }

  /// - Parameter now: The window, with the percentiles of ``LimitFigures``.
  private mutating func overLimits(_ id: SeriesID, _ identity: SeriesIdentity, _ now: SeriesSummary)
    -> [ChangeEvent]
  {
    var events: [ChangeEvent] = []
    for limit in limits.limits(of: identity.fullName, in: identity.unit(units)) {
      // Only its age goes on growing where nothing comes.
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

  /// True if all newest samples are within a limit that a figure of the whole window is still beyond.
  private func isBack(
    within limit: MetricLimit, _ look: LimitLook, of id: SeriesID, since start: Timestamp
  ) -> Bool {
    let from = edge - Self.backSpan
    guard look.isBeyond, limit.figure.isOfValues, look.sides == nil, start < from else { return false }
    let newest = store.summary(of: id, from: from, to: edge).moments
    guard newest.count >= Self.backCount else { return false }
    return limit.isFloor ? newest.minimum > limit.bound : newest.maximum < limit.bound
  }

  /// The seconds looked at for that, and the number of samples they must hold.
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
    // A limit that is patient for an hour needs a look beyond it.
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

  /// The values that a limit compares in the window that ends at a moment; `nil` where there is no value.
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
    // Nothing in the window: the newest sample lies before it, unless the metric began later.
    let tally = store.tally(of: id)
    guard tally.start <= moment else { return nil }
    return max(window, moment - tally.end)
  }

  /// When values began to go beyond a limit, after ten seconds or more without one: read off the whole hour second by second,
  /// so that neither the window nor its edge moves it.
  private func startBySecond(ofExcessOver limit: MetricLimit, of id: SeriesID, at edge: Timestamp)
    -> Timestamp?
  {
    let end = edge.rounded(.up, toMultipleOf: 1)
    let seconds = store.columns(of: id, from: end - Session.reach, to: end, count: Int(Session.reach))
    var start: Timestamp?
    // A time without samples is none under the limit.
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

/// A series as the calculation of a limit sees it, at the end of a window.
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

/// The figures that limits are about.
package enum LimitFigures {
  static let percentiles = [50.0, 95, 99]

  /// A figure of a window, except for the age; `nil` for one of values without a number in it.
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
