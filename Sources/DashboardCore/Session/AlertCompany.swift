package import Aggregation
package import Platform

/// The incident of an alert's own metric, and the other problems of the same time.
package struct AlertCompany {
  /// The incident of the metric itself.
  private(set) var own: IncidentLog.Entry?
  /// Incidents of other metrics that began about then and still last: one per metric, the least likely first.
  private(set) var others: [IncidentLog.Entry] = []
  /// The start times of the groups of all these incidents.
  private(set) var starts: Set<Double> = []

  /// Maximum number of other metrics that are named.
  private static let namedLimit = 2
  /// Maximum seconds between the starts of the alert and of a related incident.
  private static let span = 60.0

  /// - Parameters:
  ///   - groups: Sorted by start.
  ///   - moment: The moment at which all of them still last.
  package init(of event: ChangeEvent, among groups: [IncidentGroup], at moment: Timestamp) {
    let lasting = groups.suffix(Incidents.eventLimit).flatMap { group in
      group.entries.filter { $0.incident.covers(moment.seconds) && !$0.incident.kind.isOfTexts }.map {
        (start: group.start, entry: $0)
      }
    }
    let mine = lasting.last { $0.entry.series == event.series }
    own = mine?.entry
    let begin = mine?.entry.incident.start ?? event.time.seconds
    let near = lasting.filter {
      $0.entry.series.metricName != event.series?.metricName
        && abs($0.entry.incident.start - begin) <= Self.span
    }.sorted { left, right in
      (left.entry.incident.score, left.entry.incident.severity)
        > (right.entry.incident.score, right.entry.incident.severity)
    }
    var metrics: Set<String> = []
    let named = near.filter { metrics.insert($0.entry.series.metricName).inserted }.prefix(Self.namedLimit)
    others = named.map(\.entry)
    starts = Set(named.map(\.start) + [mine?.start].compactMap(\.self))
  }

  /// True if the group already covers an event, so that it needs no line of its own.
  package func tells(_ event: ChangeEvent) -> Bool {
    if case .incident = event.kind { starts.contains(event.time.seconds) } else { false }
  }

  /// `20× its usual`; `nil` where a ratio means nothing.
  package var multiple: String? {
    own.flatMap { $0.incident.kind == .above ? IncidentFormatter.factor(of: $0) : nil }.map {
      "\($0) its usual"
    }
  }

  /// `db.orders_ms 172×, queue.depth 6×`; empty without others.
  package func names(_ formatter: IncidentFormatter) -> String {
    others.map { "\($0.series.fullName) \(formatter.brief($0))" }.joined(separator: ", ")
  }
}

extension Incident.Kind {
  /// True for changes without a magnitude to compare: an unusual outcome, or a silence.
  fileprivate var isOfTexts: Bool { self == .outcome || self == .silent }
}
