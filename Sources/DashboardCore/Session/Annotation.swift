package import Aggregation
package import Platform
package import TerminalUI

/// A harmless event such as a release: charts of every metric mark it on their time axis.
package struct Annotation: Hashable, Sendable {
  package let time: Timestamp
  /// The label on a time axis: `2.4.1`.
  package let text: String
  /// The previous value: `2.4.0`.
  package let before: String
  /// The first series that reported it.
  package let series: SeriesIdentity

  /// Reports of the same release within this many seconds count as one: other series, or devices that update one after
  /// another.
  private static let repetition = 3600.0

  /// The releases among some incidents.
  ///
  /// - Parameter entries: Sorted by start.
  package static func releases(among entries: [IncidentLog.Entry]) -> [Annotation] {
    var newest: [String: Double] = [:]
    return entries.filter(\.incident.isRelease).compactMap { entry in
      let incident = entry.incident
      let known = newest.updateValue(incident.start, forKey: incident.outcome)
      if let known, incident.start - known < repetition { return nil }
      return Annotation(
        time: Timestamp(incident.start), text: incident.outcome, before: incident.usualOutcome,
        series: entry.series)
    }
  }
}

extension Session {
  /// Harmless events within a time range, in order of time.
  package func annotations(from: Timestamp, to: Timestamp) -> [Annotation] {
    (incidents.found?.annotations ?? []).filter { from <= $0.time && $0.time <= to }
  }

  /// The annotations as marks on a time axis.
  package func annotationMarks(from: Timestamp, to: Timestamp) -> [Chart.Tick] {
    annotations(from: from, to: to).map {
      Chart.Tick($0.time.seconds, " \($0.text)", sign: theme.signs.release)
    }
  }
}

extension ChangeEvent {
  package init(_ annotation: Annotation) {
    self.init(
      kind: .annotation, time: annotation.time, series: annotation.series,
      subject: annotation.series.fullName, text: "\(annotation.before) → \(annotation.text)")
    brief = annotation.text
  }
}
