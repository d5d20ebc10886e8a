/// Incidents that began together: one problem as several series saw it.
package struct IncidentGroup: Sendable, Hashable {
  /// Maximum seconds between two consecutive incidents of a group, and between the first and the last, besides the
  /// margins of their starts.
  private static let gap = 20.0
  private static let span = 60.0

  /// In order of start.
  package let entries: [IncidentLog.Entry]
  /// The same entries, those that last before those that are over: of each the probable cause, then the worst first.
  package private(set) var ranked: [IncidentLog.Entry]

  private init(_ entries: [IncidentLog.Entry]) {
    self.entries = entries
    ranked =
      Self.ranking(of: entries.filter(\.incident.lasts))
      + Self.ranking(of: entries.filter { !$0.incident.lasts })
  }

  private static func ranking(of entries: [IncidentLog.Entry]) -> [IncidentLog.Entry] {
    let worst = entries.sorted { left, right in
      (left.incident.severity, right.series.label) > (right.incident.severity, left.series.label)
    }
    return cause(of: entries).map { headed(worst, by: $0.series) } ?? worst
  }

  private static func headed(
    _ entries: [IncidentLog.Entry], by series: SeriesIdentity
  ) -> [IncidentLog.Entry] {
    entries.filter { $0.series == series } + entries.filter { $0.series != series }
  }

  /// The entry whose change came first; of those that may have come first, the one that changed most in its own spread.
  ///
  /// Texts, bools and silences are causes only where no number changed.
  private static func cause(of entries: [IncidentLog.Entry]) -> IncidentLog.Entry? {
    let numbers = entries.filter(\.incident.severity.isOfNumbers)
    let candidates = numbers.isEmpty ? entries : numbers
    guard let first = candidates.first?.incident else { return nil }
    return candidates.filter { !first.precedes($0.incident) }.max { $0.incident.score < $1.incident.score }
  }

  /// A copy that lists the incidents of one series before the others.
  package func headed(by series: SeriesIdentity) -> IncidentGroup {
    var copy = self
    copy.ranked = Self.headed(ranked, by: series)
    return copy
  }

  /// Start of the first incident of the ranking, in seconds since 2001.
  package var start: Double { ranked.first?.incident.start ?? 0 }

  /// End of the first incident of the ranking; `nil` while it lasts.
  package var end: Double? { ranked.first?.incident.end.time }

  /// Time at which the first incident of the ranking was farthest from usual.
  package var peakTime: Double { ranked.first?.incident.peakTime ?? start }

  /// The severity of its worst incident.
  package var severity: Severity? { entries.lazy.map(\.incident.severity).max() }

  /// Seconds between occurrences if all of its incidents are as usual; `nil` for news.
  package var period: Double? { ranked.first?.incident.period }

  /// Groups incidents that began together, those that recur as usual apart; releases are not problems and are left out.
  ///
  /// - Parameter entries: in order of start.
  /// - Returns: the groups in order of start.
  package static func groups(of entries: [IncidentLog.Entry]) -> [IncidentGroup] {
    let problems = entries.filter { !$0.incident.isRelease }
    let stories = stories(of: problems.filter { $0.incident.period == nil })
    let usual = self.stories(of: problems.filter { $0.incident.period != nil })
    return (stories + usual).map(IncidentGroup.init).sorted { $0.start < $1.start }
  }

  private static func stories(of entries: [IncidentLog.Entry]) -> [[IncidentLog.Entry]] {
    var groups: [[IncidentLog.Entry]] = []
    for entry in entries {
      if let first = groups.last?.first, let last = groups.last?.last,
        !last.incident.precedes(entry.incident, by: gap), !first.incident.precedes(entry.incident, by: span)
      {
        groups[groups.count - 1].append(entry)
      } else {
        groups.append([entry])
      }
    }
    return groups
  }
}

extension Incident {
  /// Maximum margin taken into account, so that a drift of uncertain start does not join everything around it.
  private static let longestMargin = 60.0

  /// True if this incident certainly began more than some seconds before another one.
  fileprivate func precedes(_ other: Incident, by seconds: Double = 0) -> Bool {
    let margin = min(Self.longestMargin, max(startMargin, other.startMargin))
    return other.start - start > seconds + margin
  }
}
