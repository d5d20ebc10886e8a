package import Aggregation
import Essentials
package import Platform

/// Known incidents of the files, and the user's position among them.
package struct Incidents: Sendable {
  /// The last report of the history; `nil` before the first report, or without a history.
  ///
  /// Ignored changes are left out.
  @Versioned package var found: FoundIncidents?
  /// The same report with ignored changes.
  private var reported: FoundIncidents?
  /// Ignored incidents.
  private(set) var hidden: [IncidentLog.Entry] = []
  /// The longest usual pause of each series, in seconds.
  private var pauses: [SeriesIdentity: Double] = [:]
  /// The newest incidents as events, together with the newest annotations.
  private(set) var events: [ChangeEvent] = []
  /// When incidents were last searched for, and the number of samples at that time.
  private var askedAt = Timestamp.distantPast
  private var askedRecorded = -1

  /// Seconds between two searches for incidents while samples arrive.
  package static let askInterval = 1.0
  /// Maximum number of incidents listed.
  package static let eventLimit = 500
  private static let annotationLimit = 100

  package init() {}

  /// The groups, sorted by start, without those that recur as usual.
  package private(set) var groups: [IncidentGroup] = []

  /// Stores the findings of the history.
  package mutating func receive(
    _ news: FoundIncidents, without ignored: [IgnoredChange] = [], formatter: IncidentFormatter
  ) {
    reported = news
    ignore(ignored, formatter: formatter)
  }

  /// Leaves ignored changes out of the last report.
  mutating func ignore(_ ignored: [IgnoredChange], formatter: IncidentFormatter) {
    guard let reported else { return }
    var news: FoundIncidents
    (news, hidden) = reported.without(ignored)
    pauses = news.pauses
    // Pauses change with each sample, which is no news.
    news.pauses = [:]
    guard news != found else { return }
    found = news
    groups = news.groups.filter { $0.period == nil }
    events =
      news.groups.suffix(Self.eventLimit).reversed().map { ChangeEvent($0, formatter) }
      + news.annotations.suffix(Self.annotationLimit).map { ChangeEvent($0) }
  }

  /// The time ranges in which the numbers of a series were far from usual.
  ///
  /// - Parameter window: In seconds since 2001.
  package func stretches(of series: SeriesIdentity, in window: ClosedRange<Double>) -> [Range<Double>] {
    groups.suffix(Self.eventLimit).flatMap { group in
      group.entries.compactMap { entry in
        guard entry.series == series, entry.incident.kind.isOfValues else { return nil }
        let start = max(entry.incident.start, window.lowerBound)
        let end = min(entry.incident.end.time ?? .infinity, window.upperBound)
        return start < end ? start..<end : nil
      }
    }
  }

  /// The series whose numbers were far from usual at some point of a window.
  ///
  /// - Parameter window: In seconds since 2001.
  package func series(in window: ClosedRange<Double>) -> Set<SeriesIdentity> {
    groups.suffix(Self.eventLimit).reduce(into: []) { found, group in
      for entry in group.entries where entry.incident.kind.isOfValues && entry.incident.touches(window) {
        found.insert(entry.series)
      }
    }
  }

  /// The worst incident of a series in a window, with its group; one that covers the moment is preferred.
  package func group(
    of series: SeriesIdentity, in window: ClosedRange<Double>, at moment: Double
  ) -> IncidentGroup? {
    let found = groups.suffix(Self.eventLimit).compactMap { group in
      group.entries.first { $0.series == series && $0.incident.touches(window) }
        .map { (group: group, incident: $0.incident) }
    }
    return found.max { left, right in
      let (isIn, isOtherIn) = (left.incident.covers(moment), right.incident.covers(moment))
      return isIn == isOtherIn ? left.incident.severity < right.incident.severity : isOtherIn
    }?.group.headed(by: series)
  }

  /// When the next search is due; `nil` if no samples have arrived since the last one.
  package func deadline(recorded: Int) -> Timestamp? {
    recorded == askedRecorded || recorded == 0 ? nil : askedAt + Self.askInterval
  }

  /// Records that a search is under way.
  package mutating func ask(recorded: Int, at now: Timestamp) {
    (askedRecorded, askedAt) = (recorded, now)
  }

  /// Makes a search due at once.
  package mutating func expire() { (askedRecorded, askedAt) = (-1, .distantPast) }

  /// Number of incidents that began after a moment.
  package func count(since moment: Timestamp) -> Int {
    groups.reversed().prefix { $0.start > moment.seconds }.count
  }

  /// Unusual signs at a moment, by series; silences are measured by the clock, which advances even when no file grows.
  ///
  /// - Parameter edge: Samples in the store after this time are ignored.
  package func signs(
    at moment: Timestamp, in store: SeriesStore, before edge: Timestamp
  ) -> [SeriesIdentity: RowSign] {
    var signs: [SeriesIdentity: RowSign] = [:]
    for (series, pause) in pauses {
      guard let id = store.id(of: series), store.isActive(id, before: edge),
        moment - min(store.tally(of: id).end, edge) > pause
      else { continue }
      signs[series] = .silent
    }
    for group in groups.reversed().prefix(Self.eventLimit) where group.start <= moment.seconds {
      for entry in group.entries where entry.incident.covers(moment.seconds) {
        // The pauses above decide about silences: samples may have arrived since the incidents were found.
        if entry.incident.kind != .silent { signs[entry.series] = RowSign(entry.incident) }
      }
    }
    return signs
  }
}

extension Incident {
  /// True if the incident had begun by a time and had not ended.
  package func covers(_ time: Double) -> Bool { touches(time...time) }

  /// True if the incident overlaps a window.
  fileprivate func touches(_ window: ClosedRange<Double>) -> Bool {
    start <= window.upperBound && end.time ?? .infinity >= window.lowerBound
  }
}

extension IncidentGroup {
  /// True if one of its series was unusual at a time.
  package func covers(_ time: Double) -> Bool { entries.contains { $0.incident.covers(time) } }

  /// The total magnitude: the sum of the binary orders of magnitude of all its series.
  package var weight: Double {
    entries.reduce(0) { sum, entry in
      // Capped at ten: a seasonal slope mistaken for an incident is not a multiple of the usual value.
      sum + min(10, log2(max(1, entry.incident.magnitude)))
    }
  }
}

extension RowSign {
  /// The sign for a row whose series is in an incident.
  init(_ incident: Incident) {
    switch incident.kind {
    case .outcome: self = .otherOutcome
    case .silent: self = .silent
    case .above, .below, .drift, .outlier, .tail, .rate: self = incident.isRise ? .aboveOwn : .belowOwn
    }
  }
}

extension ChangeEvent {
  /// Represents incidents that began together as one event.
  package init(_ group: IncidentGroup, _ formatter: IncidentFormatter) {
    let first = group.ranked.first
    self.init(
      kind: group.period != nil ? .recurrence : .incident(first.map { RowSign($0.incident) } ?? .aboveOwn),
      time: Timestamp(group.start),
      series: first?.series,
      subject: first?.series.fullName ?? "", text: formatter.summary(group))
    peak = Timestamp(first?.incident.peakTime ?? group.start)
    end = group.end.map { Timestamp($0) }
    (severity, weight) = (group.severity, group.weight)
    (exact, lead) = (formatter.exact(group), formatter.lead(group))
    if let first { (core, brief) = (formatter.core(first), formatter.brief(first)) }
    // Of metrics that fall silent together, none is the worst.
    if first?.incident.kind == .silent, group.ranked.count > 1 {
      brief += ", +\(group.ranked.count - 1) more"
    }
  }
}
