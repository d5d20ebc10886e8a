package import Aggregation
package import Codecs
import DeliveryCore
import MisterMetricsCore
package import Platform
import QueryLanguage
import Sync
import TelemetryCore

/// Scans all series for what is worth a sign or a line.
///
/// Depends on the store and the edge of the window alone, not on what was shown before: a file that is opened later
/// tells the same story.
package struct AnomalyScanner {
  package let store: SeriesStore
  package let edge: Timestamp
  package let window: Double
  /// The moment that silence and ages are measured to.
  package let moment: Timestamp
  package let limits: LimitSet
  /// Units told by the person, by `bucket.name`.
  package var units: [String: ValueUnit] = [:]
  /// True if incidents are known from the files: they then tell what rose, fell, changed or fell silent.
  package var hasIncidents = false
  /// Knowledge of each series' hour from earlier scans.
  package var baselines: [SeriesID: Baseline]
  /// The newest sample of all; where none comes any more, what is left in the window is no news.
  package var newest: Timestamp?
  /// The excesses that lasted at the scan before, then those of this one: their starts are not looked for again.
  package var lasting: [LastingExcess.Key: LastingExcess] = [:]
  /// Looks back at figures that one scan makes at most, so that no limit holds up the screen.
  package var looksLeft = 20_000

  /// The series that calculations of limits name.
  package var references = ReferencedSeries()

  /// More active series than this are not looked at one by one; those with a limit always are.
  package static let limit = 400
  /// A series is silent after this many of its usual intervals, and after this many seconds at least.
  package static let silentIntervals = 4.0
  package static let leastSilence = 5.0
  /// Seconds under a limit after which going over it is another excess.
  package static let excessGap = 10.0

  package var from: Timestamp { edge - window }

  /// The signs, and the events from the newest on.
  package mutating func scan() -> (signs: [SeriesIdentity: RowSign], events: [ChangeEvent]) {
    var signs: [SeriesIdentity: RowSign] = [:]
    var events: [ChangeEvent] = []
    var looked = 0
    references = ReferencedSeries(limits.references, in: store)
    defer { lasting = lasting.filter { $0.value.seenAt == limitEdge || $0.key.limit.figure == .age } }
    for id in store.allSeries {
      guard let identity = store.identity(of: id) else { continue }
      let tally = store.tally(of: id)
      guard tally.end >= edge - Session.reach, tally.start <= edge else { continue }
      looked += 1
      guard looked <= Self.limit || limits.covers(identity.fullName) else { continue }
      let found = self.events(of: id, identity)
      for event in found {
        if let sign = event.kind.sign { signs[identity] = signs[identity].map { min($0, sign) } ?? sign }
      }
      // A silence is an incident already; what is silent now has its sign.
      events += hasIncidents ? found.filter { $0.kind != .silent } : found
    }
    return (signs, events.sorted { ($1.time, $0.subject) < ($0.time, $1.subject) })
  }

  private mutating func events(of id: SeriesID, _ identity: SeriesIdentity) -> [ChangeEvent] {
    // Where the files tell what is unusual, only what a person set a limit for and what is silent is left to look for.
    if hasIncidents, !limits.covers(identity.fullName) {
      return Self.isEngineRecord(identity) ? [] : silence(of: id, identity).map { [$0] } ?? []
    }
    let now = store.summary(of: id, from: from, to: edge, percentiles: LimitFigures.percentiles)
    // Times and numbers rise there by their nature, and words differ from entry to entry: a screen of their own tells them.
    if Self.isEngineRecord(identity) { return overLimits(id, identity, now) }
    var events: [ChangeEvent] = []
    if let silence = silence(of: id, identity) { events.append(silence) }
    events += overLimits(id, identity, now)
    guard now.count > 0 else { return events }
    if now.moments.count > 0 {
      if !hasIncidents, let hour = baseline(of: id) {
        if let event = rise(id, identity, hour) ?? outlier(id, identity, now, hour) { events.append(event) }
      }
    } else if !hasIncidents {
      events += changes(id, identity)
    }
    return events
  }

  /// The hour that ends at a multiple of ten seconds, so that it is not computed every second.
  private mutating func baseline(of id: SeriesID) -> Baseline? {
    let end = edge.rounded(.down, toMultipleOf: 10)
    let key = Baseline.Key(edge: end, firstTime: store.tally(of: id).start, rolledUp: store.rolledUp)
    if let known = baselines[id], known.key == key { return known }
    let hour = store.summary(
      of: id, from: end - Session.reach, to: end, percentiles: [50, 95, 99.9], exactLimit: 0)
    guard hour.quantiles.count == 3 else { return nil }
    let found = Baseline(
      key: key, count: hour.moments.count, p50: hour.quantiles[0], p95: hour.quantiles[1],
      p999: hour.quantiles[2])
    baselines[id] = found
    return found
  }

  private func silence(of id: SeriesID, _ identity: SeriesIdentity) -> ChangeEvent? {
    // A signpost comes when something happens: nothing is missing where nothing does.
    guard !identity.typeName.hasPrefix("Signpost") else { return nil }
    guard let usual = store.typicalInterval(of: id), isSteady(id, usual: usual) else { return nil }
    let last = min(store.tally(of: id).end, edge)
    let limit = max(Self.leastSilence, Self.silentIntervals * usual)
    guard moment - last > limit else { return nil }
    return ChangeEvent(
      kind: .silent, time: last + limit, series: identity, subject: identity.fullName,
      text: "silent \(DurationFormat.text(limit))+ (expected every \(DurationFormat.text(usual)))")
  }

  /// True if a series is a field of what a sync engine or a delivery client records when something happens.
  package static func isEngineRecord(_ identity: SeriesIdentity) -> Bool {
    identity.bucket == SyncSignposts.category
      || identity.bucket == SyncMetric.bucket.id && identity.typeName.hasPrefix("Sync")
      || identity.bucket == DeliveryMetrics.bucket.id && identity.typeName.hasPrefix("Delivery")
  }

  /// True if samples came at that pace over the whole hour: what only comes in bursts is not missed between them.
  private func isSteady(_ id: SeriesID, usual: Double) -> Bool {
    let hour = store.summary(of: id, from: edge - Session.reach, to: edge)
    guard let first = hour.start, let last = hour.end, hour.count > 1 else { return false }
    return (last - first) / Double(hour.count - 1) <= 3 * max(usual, 0.001)
  }

  /// True if the last eighth of the window lies above what is usual: its median above the hour's 95th percentile.
  private func rise(_ id: SeriesID, _ identity: SeriesIdentity, _ hour: Baseline) -> ChangeEvent? {
    let start = edge - window / 8
    let late = store.summary(of: id, from: start, to: edge, percentiles: [50])
    guard late.moments.count >= 3, hour.count >= 20,
      let middle = late.quantiles.first?.value, middle > hour.p95.upper
    else { return nil }
    let unit = identity.unit(units)
    var event = ChangeEvent(
      kind: .aboveOwn, time: late.start ?? start, series: identity, subject: identity.fullName,
      text: "\(unit.text(hour.p50.value)) → \(unit.text(middle)) > p95 \(unit.text(hour.p95.value))")
    let factor = middle / hour.p50.value
    event.severity = Severity(isOfNumbers: true, size: factor.isFinite ? factor : 1)
    return event
  }

  /// One sample that stands far above all others.
  private func outlier(
    _ id: SeriesID, _ identity: SeriesIdentity, _ now: SeriesSummary, _ hour: Baseline
  ) -> ChangeEvent? {
    guard hour.count >= 100 else { return nil }
    let (p50, p95, top) = (hour.p50.value, hour.p95.value, now.moments.maximum)
    guard top >= hour.p999.lower, top - p50 > 3 * (p95 - p50), p95 > p50 else { return nil }
    let columns = store.columns(of: id, from: from, to: edge, count: 60)
    let time = columns.lazy.compactMap { $0 }.first { $0.maximum == top }?.end ?? edge
    return ChangeEvent(
      kind: .outlier, time: time, series: identity, subject: identity.fullName,
      text: "peak \(identity.unit(units).text(top)) (p50 \(identity.unit(units).text(p50)))")
  }

  /// Changes of a text or bool that rarely changes.
  private func changes(_ id: SeriesID, _ identity: SeriesIdentity) -> [ChangeEvent] {
    let samples = store.samples(of: id, from: from, to: edge, limit: 60).filter { $0.value != .null }
    let changes = zip(samples, samples.dropFirst()).filter { $0.value != $1.value }
    guard !changes.isEmpty, changes.count * 4 <= samples.count else { return [] }
    return changes.prefix(3).map { new, old in
      ChangeEvent(
        kind: .changed, time: new.moment, series: identity, subject: identity.fullName,
        text: "\(old.value.words) → \(new.value.words)")
    }
  }
}

extension SeriesValue {
  /// The value in words, for lines of text.
  package var words: String {
    switch self {
    case .number(let value): return NumberFormat.significant(value)
    case .bool(let value): return value ? "true" : "false"
    case .text(let text): return text.isEmpty ? "\"\"" : text
    case .null: return "null"
    }
  }
}

extension SeriesValue {
  /// The value as it is copied: a number with all its digits and its unit.
  package func exactWords(_ unit: ValueUnit) -> String {
    if case .number(let value) = self { unit.exactText(value) } else { words }
  }
}

extension ChangeEvent.Kind {
  /// The sign for the row of the series.
  package var sign: RowSign? {
    switch self {
    case .overLimit: return .overLimit
    case .silent: return .silent
    case .aboveOwn: return .aboveOwn
    case .incident(.above): return .aboveOwn
    case .incident(.below): return .belowOwn
    case .incident(.outcome): return .otherOutcome
    case .incident(.silent): return .silent
    case .outlier, .changed, .annotation, .file: return nil
    }
  }
}

extension RowSign: Comparable {
  package static func < (left: RowSign, right: RowSign) -> Bool { left.rawValue < right.rawValue }
}
