package import Aggregation
package import Codecs
package import Platform

/// Incidents in words: `04:35:39-04:35:47  net.request_ms 75ms → 9.8s (130×), queue.depth 3 → 135 (45×)`.
package struct IncidentFormatter {
  private let zone: ClockZone
  private let now: Timestamp
  private let units: [String: ValueUnit]
  /// Series of an incident that are named beside the worst.
  private static let namedOthers = 3

  /// - Parameters:
  ///   - zone: in which times are written.
  ///   - now: the day whose times need no date.
  ///   - units: what the person told of units, by `bucket.name`.
  package init(zone: ClockZone, now: Timestamp, units: [String: ValueUnit] = [:]) {
    (self.zone, self.now, self.units) = (zone, now, units)
  }

  /// The incidents that began together, the worst first.
  package func line(_ group: IncidentGroup) -> String {
    let what = group.worst.map { "\($0.series.fullName) \(words($0))" }.joined(separator: ", ")
    return "\(times(from: group.start, to: group.end))  \(what)"
  }

  /// A release: `04:35:39  app.version 2.4.0 → 2.4.1 (release)`.
  package func line(_ release: Annotation) -> String {
    let time = zone.exactMoment(release.time, now: now, .seconds)
    return "\(time)  \(release.series.fullName) \(release.before) → \(release.text) (release)"
  }

  /// The same of an incident without its times, and of what was not the worst only by how much: `net.request_ms 75ms → 9.8s (130×),
  /// queue.depth 45×` without the first name.
  package func summary(_ group: IncidentGroup) -> String {
    guard let first = group.worst.first else { return "" }
    let others = group.worst.dropFirst().filter { $0.incident.kind != .silent }
    let named = others.prefix(Self.namedOthers).map { "\($0.series.label) \(brief($0))" }
    let more = group.worst.count - 1 - named.count
    let parts = [words(first)] + named + (more > 0 ? ["+\(more) more"] : [])
    return parts.joined(separator: ", ")
  }

  /// The worst change, and the number of the others: `75ms → 9.8s (130×), +2 more`.
  package func lead(_ group: IncidentGroup) -> String {
    guard let first = group.worst.first else { return "" }
    return words(first) + (group.worst.count > 1 ? ", +\(group.worst.count - 1) more" : "")
  }

  /// The change alone, without how it went on: `75ms → 9.8s (130×)`, `silent for 16s`.
  package func core(_ entry: IncidentLog.Entry) -> String {
    switch entry.incident.kind {
    case .above, .below: change(entry)
    case .outcome: words(entry)
    case .silent: "silent for \(DurationFormat.text(entry.incident.peak))"
    }
  }

  private func change(_ entry: IncidentLog.Entry) -> String {
    let (incident, unit) = (entry.incident, entry.series.unit(units))
    return "\(unit.text(incident.usual)) → \(unit.text(incident.peak))" + factor(entry)
  }

  /// How long it lasted: `04:35:39-04:35:47`, or `since 04:35:39`.
  package func span(_ group: IncidentGroup) -> String { times(from: group.start, to: group.end) }

  /// By how much, in a word: `45×`, `1/3`, `failed`, `1.2GB`.
  package func brief(_ entry: IncidentLog.Entry) -> String {
    switch entry.incident.kind {
    case .outcome: return entry.incident.outcome
    case .silent: return "silent"
    case .above, .below:
      return Self.factor(of: entry) ?? entry.series.unit(units).text(entry.incident.peak)
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
    case .above, .below: return change(entry) + stays(incident)
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

  /// How many times the usual it was, or what part of it: `130×`, `1/3`; `nil` where a ratio says nothing.
  package static func factor(of entry: IncidentLog.Entry) -> String? {
    let incident = entry.incident
    // 503 is not 2.5 times 200.
    guard !entry.series.namesCodes, let factor = incident.factor, factor >= 1.5, factor.isFinite else {
      return nil
    }
    return incident.kind == .above ? "\(Self.factor(factor))×" : "1/\(Self.factor(factor))"
  }

  /// A factor with as many digits as matter.
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
  /// True if the numbers stand for something else, as those of `http.status` and `errorCode` do.
  package var namesCodes: Bool {
    let name = label.lowercased()
    return ["status", "code", "errno"].contains { name.hasSuffix($0) }
  }

  /// Subjects that count as an incident of the series.
  package var incidentSubjects: SeriesDetector.Subjects {
    // An engine's record comes when something happens, and a screen of its own tells its meaning.
    if isEngineRecord { return [] }
    // A signpost comes when something happens: nothing is missing where nothing does.
    return typeName.hasPrefix("Signpost") ? .values : [.values, .silences]
  }
}

extension ClockZone {
  /// The end of a stretch of time, with as much of its date as differs from the beginning's.
  package func end(_ end: Timestamp, after start: Timestamp) -> String {
    exactMoment(end, now: start, .seconds)
  }
}
