package import Aggregation
package import Codecs
package import Platform
package import QueryLanguage

/// Decides which series pass a filter, based on their behaviour over a time range.
package struct SeriesMatcher {
  package let query: Query
  package let store: SeriesStore
  /// Units set by the user, by `bucket.name`.
  package let units: [String: ValueUnit]
  package let from: Timestamp
  package let to: Timestamp
  /// The moment from which ages are measured: the edge of a long window may lie long after it.
  fileprivate let present: Timestamp
  /// The series in each state; empty unless the query refers to states.
  private var states: [QueryState: Set<SeriesIdentity>] = [:]
  fileprivate let references: ReferencedSeries
  private let isOfNames: Bool

  package init(_ query: Query, in session: Session, from: Timestamp, to: Timestamp) {
    (self.query, isOfNames) = (query, query.isOfNames)
    (store, units, self.from, self.to) = (session.store, session.units, from, to)
    references = ReferencedSeries(query.references, in: session.store)
    present = from <= session.exactPresent && session.exactPresent <= to ? session.exactPresent : to
    guard query.needsStates else { return }
    states = [
      .firing: session.firingSeries, .silent: session.silentSeries,
      .changed: session.seriesChanged(from: from, to: to),
    ]
  }

  package func matches(_ identity: SeriesIdentity) -> Bool {
    matches(identity, name: identity.fullName, id: isOfNames ? nil : store.id(of: identity))
  }

  /// - Parameters:
  ///   - name: The full name of the series.
  ///   - id: Its number in the store; `nil` if it has none.
  package func matches(_ identity: SeriesIdentity, name: String, id: SeriesID?) -> Bool {
    if isOfNames { return query.isEmpty || query.matches(name: name) }
    return query.matches(metric: SeriesSubject(identity: identity, name: name, id: id, matcher: self))
  }

  fileprivate func isIn(_ state: QueryState, _ identity: SeriesIdentity) -> Bool {
    states[state]?.contains(identity) ?? false
  }
}

/// A series as seen by a query.
private struct SeriesSubject: QuerySubject {
  let identity: SeriesIdentity
  let name: String
  let id: SeriesID?
  let matcher: SeriesMatcher

  var unit: ValueUnit { identity.unit(matcher.units) }

  private func summary(_ percentiles: [Double] = []) -> SeriesSummary? {
    guard let id else { return nil }
    let tally = matcher.store.tally(of: id)
    guard tally.end >= matcher.from, tally.start <= matcher.to else { return nil }
    return matcher.store.summary(of: id, from: matcher.from, to: matcher.to, percentiles: percentiles)
  }

  private func percentile(_ percentile: Double) -> Double? { summary([percentile])?.quantiles.first?.value }

  func figure(_ figure: QueryFigure) -> Double? {
    switch figure {
    case .now: return summary()?.last
    case .p50: return percentile(50)
    case .p95: return percentile(95)
    case .p99: return percentile(99)
    case .max: return moments?.maximum
    case .min: return moments?.minimum
    case .mean: return moments?.mean
    case .n: return summary().map { Double($0.count) } ?? 0
    case .rate: return summary().map { $0.rate } ?? 0
    case .age: return id.map { max(0, matcher.present - matcher.store.tally(of: $0).end) }
    }
  }

  func figure(of reference: FigureReference) -> ReferencedFigure? {
    guard let found = matcher.references.find(reference, from: identity.bucket) else { return nil }
    let other = SeriesSubject(
      identity: found.identity, name: found.identity.fullName, id: found.id, matcher: matcher)
    return ReferencedFigure(
      name: other.name, figure: found.figure, unit: other.unit, value: other.figure(found.figure))
  }

  private var moments: Moments? { summary().flatMap { $0.moments.count > 0 ? $0.moments : nil } }

  func isInState(_ state: QueryState) -> Bool { matcher.isIn(state, identity) }

  /// Examines the field of the same struct, or the metric itself if its full name takes the place of a field: numbers
  /// by
  /// their extremes and the newest samples, bools and texts by the distinct values in the summary.
  func hasSamples(where comparison: FieldComparison) -> Bool {
    let isNamed = comparison.field == name
    guard isNamed || identity.field != nil else { return false }
    let field = SeriesIdentity(
      bucket: identity.bucket, name: identity.name, typeName: identity.typeName, field: comparison.field)
    guard let id = isNamed ? id : matcher.store.id(of: field) else { return comparison.matches(nil) }
    let summary = matcher.store.summary(of: id, from: matcher.from, to: matcher.to)
    if summary.trues > 0, comparison.matches(.bool(true)) { return true }
    if summary.falses > 0, comparison.matches(.bool(false)) { return true }
    if summary.texts.contains(where: { comparison.matches(.text($0.text)) }) { return true }
    guard summary.moments.count > 0 else { return false }
    if comparison.matches(.number(summary.moments.minimum))
      || comparison.matches(.number(summary.moments.maximum))
    {
      return true
    }
    return matcher.store.samples(of: id, from: matcher.from, to: matcher.to, limit: Self.sampleLimit).contains
    {
      if case .number(let value) = $0.value { comparison.matches(.number(value)) } else { false }
    }
  }

  /// Maximum number of the newest samples examined individually.
  private static let sampleLimit = 1000
}

// The series in each state.
extension Session {
  /// Series with a lasting incident or beyond a limit.
  package var firingSeries: Set<SeriesIdentity> {
    let over = alerts.events.lazy.filter { $0.kind == .overLimit && $0.end == nil }.compactMap(\.series)
    return lasting { $0 != .silent }.union(over)
  }

  /// Series without their usual samples.
  fileprivate var silentSeries: Set<SeriesIdentity> {
    let signs = alerts.signs.lazy.filter { $0.value == .silent }.map(\.key)
    return lasting { $0 == .silent }.union(signs)
  }

  /// Series with an event that began within a time range.
  fileprivate func seriesChanged(from: Timestamp, to: Timestamp) -> Set<SeriesIdentity> {
    Set(alerts.events.lazy.filter { from <= $0.time && $0.time <= to }.compactMap(\.series))
  }

  private func lasting(_ isWanted: (Incident.Kind) -> Bool) -> Set<SeriesIdentity> {
    let moment = present.seconds
    let entries = incidents.groups.suffix(Incidents.eventLimit).flatMap(\.entries)
    return Set(entries.filter { isWanted($0.incident.kind) && $0.incident.covers(moment) }.map(\.series))
  }
}
