package import Aggregation
package import Codecs
package import Platform

/// Formats incidents: `04:35:39-04:35:47  net.request_ms 75ms → 9.8s (130×) with queue.depth 3 → 135 (45×)`.
package struct IncidentFormatter {
  private let zone: ClockZone
  private let now: Timestamp
  private let units: [String: ValueUnit]
  /// Maximum number of series named besides the first.
  private static let namedOthers = 3

  /// - Parameters:
  ///   - zone: The time zone of all times.
  ///   - now: Times of this day omit the date.
  ///   - units: Units set by the user, by `bucket.name`.
  package init(zone: ClockZone, now: Timestamp, units: [String: ValueUnit] = [:]) {
    (self.zone, self.now, self.units) = (zone, now, units)
  }

  /// Incidents that began together, the probable cause first.
  package func line(_ group: IncidentGroup) -> String {
    let parts = group.ranked.map { "\($0.series.fullName) \(words($0))" }
    let story = [parts.prefix(1).joined(), parts.dropFirst().joined(separator: ", ")]
    return "\(times(from: group.start, to: group.end))  "
      + story.filter { !$0.isEmpty }.joined(separator: " with ")
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
    let companions = group.ranked.dropFirst().filter { $0.incident.kind != .silent }
    let named = companions.prefix(Self.namedOthers).map { "\($0.series.label) \(brief($0))" }
    let more = group.ranked.count - 1 - named.count
    let others = named + (more > 0 ? ["+\(more) more"] : [])
    let joint = others.isEmpty ? "" : named.isEmpty ? ", " : " with "
    return words(first) + joint + others.joined(separator: ", ")
  }

  /// The first change and the number of the others: `75ms → 9.8s (130×), +2 more`.
  package func lead(_ group: IncidentGroup) -> String {
    guard let first = group.ranked.first else { return "" }
    return words(first) + (group.ranked.count > 1 ? ", +\(group.ranked.count - 1) more" : "")
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
      return levels + factor(entry) + ", " + slope
    case .tail:
      return "\(Self.percent(incident.peak)) of samples far above the others "
        + "(usually \(Self.percent(incident.usual)))"
    case .outlier:
      let samples = incident.count > 1 ? "\(incident.count) samples, the worst" : "one sample of"
      return "\(samples) \(unit.text(incident.peak)) (usually \(unit.text(incident.usual)))"
    case .above, .below, .outcome, .silent: return levels + factor(entry)
    }
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
    case .above, .below, .rate: return change(entry) + stays(incident)
    case .drift, .outlier, .tail: return change(entry)
    case .outcome:
      return "\(incident.outcome) \(Self.percent(incident.peak)) (usually \(incident.usualOutcome))"
        + stays(incident)
    case .silent:
      return "silent for \(DurationFormat.text(incident.peak)) (usually every "
        + "\(DurationFormat.text(incident.usual)))"
    }
  }

  private func factor(_ entry: IncidentLog.Entry) -> String {
    Self.factor(of: entry).map { " (\($0))" } ?? ""
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
    if case .adopted = incident.end { " and stays" } else { "" }
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
    if isEngineRecord { return [] }
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
