import Aggregation
import Codecs
import Platform
import QueryLanguage

// What is beyond its limits.
extension AnomalyScanner {
  /// Seconds without any sample after which figures are those of the newest one.
  private static let pause = 5.0

  /// The end of the window whose figures are held against limits.
  var limitEdge: Timestamp {
    newest.flatMap { edge - $0 > Self.pause ? $0 : nil } ?? edge
  }

  /// - Parameter now: The window, with the percentiles of ``LimitFigures``.
  mutating func overLimits(_ id: SeriesID, _ identity: SeriesIdentity, _ now: SeriesSummary) -> [ChangeEvent]
  {
    var events: [ChangeEvent] = []
    for limit in limits.limits(of: identity.fullName, in: identity.unit(units)) {
      // Only its age goes on growing where nothing comes.
      let end = limit.figure == .age ? moment : limitEdge
      let summary = end == edge || limit.figure == .age ? now : figures(of: id, at: end)
      let key = LastingExcess.Key(limit: limit, series: id)
      guard let value = value(of: limit.figure, of: id, in: summary, at: end),
        limit.isBeyond(value) || limit.isKept(by: value),
        let since = start(ofExcessOver: limit, of: id, at: end, summary)
      else {
        lasting[key] = nil
        continue
      }
      lasting[key] = LastingExcess(start: since, seenAt: end)
      events.append(event(of: limit, identity, value: value, since: since, at: end))
    }
    return events
  }

  private func figures(of id: SeriesID, at end: Timestamp) -> SeriesSummary {
    store.summary(of: id, from: end - window, to: end, percentiles: LimitFigures.percentiles)
  }

  private func event(
    of limit: MetricLimit, _ identity: SeriesIdentity, value: Double, since: Timestamp, at end: Timestamp
  ) -> ChangeEvent {
    let unit = identity.unit(units)
    let length = DurationFormat.text(max(0, end - since))
    let figure = "\(limit.figure.rawValue) \(limit.text(value, unit))"
    let text: String
    if limit.isBeyond(value) {
      text = "\(figure) \(limit.sign) \(limit.text(limit.bound, unit)) for \(length)"
    } else {
      text = "\(figure), not yet back at \(limit.text(limit.clear ?? limit.bound, unit)) for \(length)"
    }
    var event = ChangeEvent(
      kind: .overLimit, time: since, series: identity, subject: identity.fullName, text: text)
    let excess = ChangeEvent.Excess(limit: limit, value: value)
    event.excess = excess
    event.severity = Severity(isOfNumbers: limit.figure.isOfValues, size: excess.ratio)
    event.lead = limit.isBeyond(value) ? "\(figure), limit \(limit.text(limit.bound, unit))" : text
    return event
  }

  private mutating func start(
    ofExcessOver limit: MetricLimit, of id: SeriesID, at end: Timestamp, _ now: SeriesSummary
  ) -> Timestamp? {
    if limit.isPlain { return startBySecond(ofExcessOver: limit, of: id, at: end) ?? now.start ?? end }
    let step = max(1, window / 60)
    // A limit that is patient for an hour needs a look beyond it.
    let patience = limit.duration + 2 * step
    let course = LimitCourse(
      limit: limit, step: step, reach: max(Session.reach, patience),
      lookLimit: max(60, Int(patience / step) + 2, min(LimitCourse.longest, looksLeft))
    ) { [self] moment in
      value(of: limit.figure, of: id, in: figures(of: id, at: moment), at: moment)
    }
    let known = lasting[LastingExcess.Key(limit: limit, series: id)]
    if let known, course.lasts(from: known.seenAt, to: end) { return known.start }
    let start = course.start(ofExcessAt: end)
    looksLeft -= start.map { Int((end - $0) / course.step) } ?? 1
    return start
  }

  /// A figure of the window that ends at a moment.
  private func value(
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

/// The figures that limits are about.
enum LimitFigures {
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
