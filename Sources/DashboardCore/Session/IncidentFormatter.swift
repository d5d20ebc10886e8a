package import Aggregation
package import Codecs
package import Platform
import QueryLanguage

/// Formats incidents: `04:35:39-04:35:47  net.request_ms 75ms → 9.8s (130×) with queue.depth 3 → 135 (45×)`.
package struct IncidentFormatter {
  private let zone: ClockZone
  private let now: Timestamp
  private let units: [String: ValueUnit]
  private let limits: LimitSet
  /// True to write the margin of error of the first factor.
  private var showsMargins = false
  /// Maximum number of series named besides the first.
  private static let namedOthers = 3

  /// - Parameters:
  ///   - zone: The time zone of all times.
  ///   - now: Times of this day omit the date.
  ///   - units: Units set by the user, by `bucket.name`.
  ///   - limits: The limits that drifts may reach.
  package init(
    zone: ClockZone, now: Timestamp, units: [String: ValueUnit] = [:], limits: LimitSet = LimitSet()
  ) {
    (self.zone, self.now, self.units, self.limits) = (zone, now, units, limits)
  }

  /// Incidents that began together, the probable cause first.
  package func line(_ group: IncidentGroup) -> String {
    let parts = group.ranked.map { "\($0.series.fullName) \(words($0))" }
    let story = [parts.prefix(1).joined(), parts.dropFirst().joined(separator: ", ")]
    return "\(times(from: group.start, to: group.end))  "
      + story.filter { !$0.isEmpty }.joined(separator: " with ") + every(group)
  }

  /// `, every 5m, as usual` for incidents that recur; empty for news.
  private func every(_ group: IncidentGroup) -> String {
    guard let period = group.period else { return "" }
    // Periods vary by a tenth: two digits are enough.
    let step = period < 100 ? 1.0 : period < 1000 ? 10 : 60
    return ", every \(DurationFormat.text((period / step).rounded() * step)), as usual"
  }

  /// A release: `04:35:39  app.version 2.4.0 → 2.4.1 (release)`.
  package func line(_ release: Annotation) -> String {
    let time = zone.exactMoment(release.time, now: now, .seconds)
    return "\(time)  \(release.series.fullName) \(release.before) → \(release.text) (release)"
  }

  /// The line without its times and first name, with only the factor for all but the first:
  /// `75ms → 9.8s (130×) with queue.depth 45×`.
  package func summary(_ group: IncidentGroup) -> String {
    guard let first = group.ranked.first else { return "" }
    let companions = group.ranked.dropFirst().filter {
      $0.incident.kind != .silent && $0.incident.lasts == first.incident.lasts
    }
    let named = companions.prefix(Self.namedOthers).map { "\($0.series.label) \(brief($0))" }
    let more = group.ranked.count - 1 - named.count
    let others = named + (more > 0 ? ["+\(more) more"] : [])
    let joint = others.isEmpty ? "" : named.isEmpty ? ", " : " with "
    return words(first) + every(group) + joint + others.joined(separator: ", ")
  }

  /// The summary with the margin of error of its first factor: `75ms → 150ms (2× ±0.1) with queue.depth 45×`.
  package func exact(_ group: IncidentGroup) -> String {
    var copy = self
    copy.showsMargins = true
    return copy.summary(group)
  }

  /// The first change and the number of the others: `75ms → 9.8s (130×), +2 more`.
  package func lead(_ group: IncidentGroup) -> String {
    guard let first = group.ranked.first else { return "" }
    return words(first) + every(group) + (group.ranked.count > 1 ? ", +\(group.ranked.count - 1) more" : "")
  }

  /// The change alone, without its outcome: `75ms → 9.8s (130×)`, `silent for 16s`.
  package func core(_ entry: IncidentLog.Entry) -> String {
    switch entry.incident.kind {
    case .above, .below, .rate, .outlier, .drift, .tail: change(entry)
    case .outcome: words(entry)
    case .silent: "silent for \(DurationFormat.text(entry.incident.peak))"
    }
  }

  private func change(_ entry: IncidentLog.Entry) -> String {
    let (incident, unit) = (entry.incident, entry.series.unit(units))
    let levels = "\(unit.text(incident.usual)) → \(unit.text(incident.median))"
    switch incident.kind {
    case .rate: return "\(Self.rate(incident.usual)) → \(Self.rate(incident.median))" + factor(entry)
    case .drift:
      guard incident.slope != 0 else { return levels + factor(entry) }
      let slope = "\(unit.text(abs(incident.slope))) ±\(unit.text(incident.slopeMargin)) a minute"
      return levels + factor(entry) + ", \(incident.slope < 0 ? "falls" : "grows") \(slope)"
        + pace(entry, unit)
    case .tail:
      return "\(Self.percent(incident.peak)) of samples far above the others "
        + "(usually \(Self.percent(incident.usual)))"
    case .outlier:
      let samples = incident.count > 1 ? "\(incident.count) samples, the worst" : "one sample of"
      return "\(samples) \(unit.text(incident.peak)) (usually \(unit.text(incident.usual)))"
    case .above, .below, .outcome, .silent: return levels + factor(entry)
    }
  }

  /// `, reaching its limit of 500MB by 15:02`; empty if no limit stands in the way of a drift.
  private func pace(_ entry: IncidentLog.Entry, _ unit: ValueUnit) -> String {
    let (incident, slope) = (entry.incident, entry.incident.slope)
    // A slope that may be zero reaches nothing.
    guard incident.end == .none, slope.magnitude > incident.slopeMargin else { return "" }
    let times = limits.limits(of: entry.series.fullName, in: unit).compactMap { limit -> (Double, Double)? in
      let isAhead = slope > 0 ? limit.bound > incident.median : limit.bound < incident.median
      let time = incident.start + (limit.bound - incident.usual) / slope * 60
      guard limit.figure.isOfValues, limit.calculation == nil, limit.isFloor == (slope < 0), isAhead,
        time > now.seconds, time.isFinite
      else { return nil }
      return (time, limit.bound)
    }
    guard let (time, bound) = times.min(by: { $0.0 < $1.0 }) else { return "" }
    return ", reaching its limit of \(unit.text(bound)) by \(zone.moment(Timestamp(time), now: now))"
  }

  /// Samples a second, or a minute where they are few: `5.8/s`, `3/min`.
  private static func rate(_ perSecond: Double) -> String {
    let (value, unit) = perSecond < 0.1 ? (perSecond * 60, "/min") : (perSecond, "/s")
    return NumberFormat.text(value, decimals: value < 10 ? 1 : 0) + unit
  }

  /// The time range: `04:35:39-04:35:47`, or `since 04:35:39`.
  package func span(_ group: IncidentGroup) -> String { times(from: group.start, to: group.end) }

  /// The magnitude in a word: `45×`, `1/3`, `failed`, `1.2GB`.
  package func brief(_ entry: IncidentLog.Entry) -> String {
    switch entry.incident.kind {
    case .outcome: return entry.incident.outcome
    case .silent: return "silent"
    case .above, .below, .outlier:
      return Self.factor(of: entry) ?? entry.series.unit(units).text(entry.incident.median)
    case .drift: return Self.factor(of: entry).map { "drifts \($0)" } ?? "drifts"
    case .rate: return Self.factor(of: entry).map { "rate \($0)" } ?? "rate"
    case .tail: return "\(Self.percent(entry.incident.peak)) far"
    }
  }

  /// `04:35:39-04:35:47`, or `since 04:35:39`.
  private func times(from start: Double, to end: Double?) -> String {
    let first = zone.exactMoment(Timestamp(start), now: now, .seconds)
    guard let end else { return "since \(first)" }
    return first + "-" + zone.end(Timestamp(end), after: Timestamp(start))
  }

  /// The unusual change: `75ms → 9.8s (130×)`.
  package func words(_ entry: IncidentLog.Entry) -> String {
    let incident = entry.incident
    switch incident.kind {
    case .above, .below, .rate, .drift, .outlier, .tail:
      let carrier = incident.carrier.map { ", only \($0.field)=\($0.value)" } ?? ""
      return change(entry) + carrier + stays(incident)
    case .outcome:
      return "\(incident.outcome) \(Self.percent(incident.peak)) (usually \(incident.usualOutcome))"
        + stays(incident)
    case .silent:
      return "silent for \(DurationFormat.text(incident.peak)) (usually every "
        + "\(DurationFormat.text(incident.usual)))"
    }
  }

  private func factor(_ entry: IncidentLog.Entry) -> String {
    guard let factor = Self.factor(of: entry) else { return "" }
    return " (\(factor)\(showsMargins ? margin(entry.incident) : ""))"
  }

  /// ` ±0.1`; empty for a fall, and for a margin below the last digit.
  private func margin(_ incident: Incident) -> String {
    guard incident.isRise, incident.kind == .above || incident.kind == .drift, let factor = incident.factor,
      (factor * (incident.margin - 1)).isFinite
    else { return "" }
    let half = NumberFormat.text(factor * (incident.margin - 1), decimals: factor < 10 ? 1 : 0)
    return half == "0" || half == "0.0" ? "" : " ±\(half)"
  }

  /// The multiple or fraction of the usual value: `130×`, `1/3`; `nil` where a ratio means nothing.
  package static func factor(of entry: IncidentLog.Entry) -> String? {
    let incident = entry.incident
    // A status of 503 is not 2.5 times 200.
    guard !entry.series.namesCodes, let factor = incident.factor, factor >= 1.15, factor.isFinite else {
      return nil
    }
    return incident.isRise ? "\(Self.factor(factor))×" : "1/\(Self.factor(factor))"
  }

  /// A factor with its significant digits.
  package static func factor(_ factor: Double) -> String {
    let tenths = (factor * 10).rounded()
    return NumberFormat.text(factor, decimals: tenths < 100 && tenths.remainder(dividingBy: 10) != 0 ? 1 : 0)
  }

  private func stays(_ incident: Incident) -> String {
    if case .adopted = incident.end { ", became the new usual" } else { "" }
  }

  private static func percent(_ share: Double) -> String { NumberFormat.text(share * 100, decimals: 0) + "%" }
}

extension SeriesIdentity {
  /// True if the numbers are codes, as in `http.status` and `errorCode`.
  package var namesCodes: Bool {
    let name = label.lowercased()
    return ["status", "code", "errno"].contains { name.hasSuffix($0) }
  }

  /// Kinds of change that count as incidents of the series.
  package var incidentSubjects: SeriesDetector.Subjects {
    // An engine records only when something happens, and a screen of its own interprets the records.
    if isEngineRecord || isPayloadText { return [] }
    // A signpost is recorded only when something happens: its silence means nothing.
    return typeName.hasPrefix("Signpost") ? .values : [.values, .silences]
  }
}

extension ClockZone {
  /// The end of a time range, with only the part of the date that differs from the start.
  package func end(_ end: Timestamp, after start: Timestamp) -> String {
    exactMoment(end, now: start, .seconds)
  }
}
