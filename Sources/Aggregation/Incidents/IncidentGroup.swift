/// Incidents that began together: one thing that went wrong, as several series saw it.
package struct IncidentGroup: Sendable, Hashable {
  /// The seconds between two incidents of a group at most, and between the first and the last.
  private static let gap = 10.0
  private static let span = 30.0

  /// By their start.
  package let entries: [IncidentLog.Entry]
  /// The same from the worst on.
  package private(set) var worst: [IncidentLog.Entry]

  private init(_ entries: [IncidentLog.Entry]) {
    self.entries = entries
    worst = entries.sorted { left, right in
      (left.incident.severity, right.series.label) > (right.incident.severity, left.series.label)
    }
  }

  /// The same with the incident of one series before the worst.
  package func headed(by series: SeriesIdentity) -> IncidentGroup {
    var copy = self
    copy.worst = worst.filter { $0.series == series } + worst.filter { $0.series != series }
    return copy
  }

  /// When the first of them began, in seconds since 2001.
  package var start: Double { entries.first?.incident.start ?? 0 }

  /// When the last of them ended; `nil` while one lasts.
  package var end: Double? {
    entries.reduce(-.infinity as Double?) { end, entry in
      guard let end, let own = entry.incident.end.time else { return nil }
      return max(end, own)
    }
  }

  /// When the worst of them was farthest from usual.
  package var peakTime: Double { worst.first?.incident.peakTime ?? start }

  /// Puts together what began together; a release is no trouble and left out.
  ///
  /// - Parameter entries: by their start.
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
