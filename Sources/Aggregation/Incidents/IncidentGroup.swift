/// Incidents that began together: one problem as several series saw it.
package struct IncidentGroup: Sendable, Hashable {
  /// Maximum seconds between two consecutive incidents of a group, and between the first and the last.
  private static let gap = 10.0
  private static let span = 30.0

  /// In order of start.
  package let entries: [IncidentLog.Entry]
  /// The same entries, worst first.
  package private(set) var worst: [IncidentLog.Entry]

  private init(_ entries: [IncidentLog.Entry]) {
    self.entries = entries
    worst = entries.sorted { left, right in
      (left.incident.severity, right.series.label) > (right.incident.severity, left.series.label)
    }
  }

  /// A copy that lists the incidents of one series before the worst.
  package func headed(by series: SeriesIdentity) -> IncidentGroup {
    var copy = self
    copy.worst = worst.filter { $0.series == series } + worst.filter { $0.series != series }
    return copy
  }

  /// Start of the first incident, in seconds since 2001.
  package var start: Double { entries.first?.incident.start ?? 0 }

  /// End of the last incident; `nil` while one is ongoing.
  package var end: Double? {
    entries.reduce(-.infinity as Double?) { end, entry in
      guard let end, let own = entry.incident.end.time else { return nil }
      return max(end, own)
    }
  }

  /// Time at which the worst incident was farthest from usual.
  package var peakTime: Double { worst.first?.incident.peakTime ?? start }

  /// Groups incidents that began together; releases are not problems and are left out.
  ///
  /// - Parameter entries: in order of start.
  package static func groups(of entries: [IncidentLog.Entry]) -> [IncidentGroup] {
    var groups: [[IncidentLog.Entry]] = []
    for entry in entries where !entry.incident.isRelease {
      let start = entry.incident.start
      if let first = groups.last?.first, let last = groups.last?.last,
        start - last.incident.start <= gap, start - first.incident.start <= span
      {
        groups[groups.count - 1].append(entry)
      } else {
        groups.append([entry])
      }
    }
    return groups.map(IncidentGroup.init)
  }
}
