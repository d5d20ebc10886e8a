package import Aggregation
package import Platform

/// The group that an alert belongs to: the incident of its own metric, and other problems at the same time.
package struct AlertCompany {
  /// The incident of the metric itself.
  private(set) var own: IncidentLog.Entry?
  /// Others that began with it and last, one of a metric, the worst first.
  private(set) var others: [IncidentLog.Entry] = []
  /// When the groups of all of them began.
  private(set) var starts: Set<Double> = []

  /// Others that are named at most.
  private static let namedLimit = 2
  /// Seconds between an alert and what has to do with it.
  private static let span = 60.0

  /// - Parameters:
  ///   - groups: by their start.
  ///   - moment: at which all of them last.
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
    }.sorted { $0.entry.incident.severity > $1.entry.incident.severity }
    var metrics: Set<String> = []
    let named = near.filter { metrics.insert($0.entry.series.metricName).inserted }.prefix(Self.namedLimit)
    others = named.map(\.entry)
    starts = Set(named.map(\.start) + [mine?.start].compactMap(\.self))
  }

  /// True if an event is told by naming them.
  package func tells(_ event: ChangeEvent) -> Bool {
    if case .incident = event.kind { starts.contains(event.time.seconds) } else { false }
  }

  /// `20× its usual`; `nil` where a ratio says nothing.
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
  /// True if it is of what values say in words, or of none that came.
  fileprivate var isOfTexts: Bool { self == .outcome || self == .silent }
}
