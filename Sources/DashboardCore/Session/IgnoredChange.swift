import Aggregation
import Platform
import TerminalUI

/// A metric or a kind of change that the user ignores in a file.
package struct IgnoredChange: Hashable, Sendable {
  /// The `bucket.name`; `nil` for all metrics.
  package let metric: String?
  /// The kind, as in ``Aggregation/Incident/Kind/name``; `nil` for all kinds.
  package let kind: String?

  package init(metric: String?, kind: String? = nil) { (self.metric, self.kind) = (metric, kind) }

  /// True if it covers a kind of change of a series.
  func covers(_ series: SeriesIdentity, _ kind: Incident.Kind) -> Bool {
    (metric == nil || metric == series.fullName) && (self.kind == nil || self.kind == kind.name)
  }

  /// `net.request_ms`, or `rate changes of net.request_ms`.
  package var text: String {
    guard let kind else { return metric ?? "all metrics" }
    let changes = kind == "drift" || kind == "outlier" || kind == "silence" ? "\(kind)s" : "\(kind) changes"
    return "\(changes) of \(metric ?? "all metrics")"
  }
}

extension Incident.Kind {
  /// The name, in which values above and below the usual ones are the same.
  package var name: String {
    switch self {
    case .above, .below: "level"
    case .drift: "drift"
    case .outlier: "outlier"
    case .tail: "tail"
    case .outcome: "outcome"
    case .rate: "rate"
    case .silent: "silence"
    }
  }
}

extension FoundIncidents {
  /// A copy without what is ignored, and what was left out.
  func without(_ ignored: [IgnoredChange]) -> (found: FoundIncidents, hidden: [IncidentLog.Entry]) {
    guard !ignored.isEmpty else { return (self, []) }
    var (found, hidden) = (self, [IncidentLog.Entry]())
    func isHidden(_ series: SeriesIdentity, _ kind: Incident.Kind) -> Bool {
      ignored.contains { $0.covers(series, kind) }
    }
    let entries = groups.flatMap(\.entries).filter { entry in
      guard isHidden(entry.series, entry.incident.kind) else { return true }
      hidden.append(entry)
      return false
    }
    if !hidden.isEmpty { found.groups = IncidentGroup.groups(of: entries.sorted { $0.precedes($1) }) }
    found.pauses = pauses.filter { !isHidden($0.key, .silent) }
    return (found, hidden)
  }
}

extension Session {
  /// Ignores a metric or a kind of change, or shows it again; kept for this file.
  mutating func toggle(_ change: IgnoredChange) -> [Effect] {
    var view = notes.last
    if let place = view.ignored.firstIndex(of: change) {
      view.ignored.remove(at: place)
      showToast("No longer ignored: \(change.text)")
    } else {
      view.ignored.append(change)
      showToast("Ignored in this file: \(change.text); \(keyText("X")) lists it")
    }
    notes.keep(view)
    incidents.ignore(view.ignored, formatter: incidentFormatter)
    return [.keep(notes)]
  }

  /// Formats incidents in the user's time zone and units, and knows the limits.
  package var incidentFormatter: IncidentFormatter {
    IncidentFormatter(zone: zone, now: now, units: units, limits: limits)
  }
}

extension Picker {
  /// Changes to ignore, and those that are ignored.
  static let ignored = Picker(name: "ignored", title: "Ignore in this file")
}

extension Model {
  /// Choices: the metric and the kind of change of the first line, and the metric in focus; then what is already
  /// ignored.
  var ignorable: [(title: String, change: IgnoredChange)] {
    let ignored = session.notes.last.ignored
    var offered: [IgnoredChange] = []
    if let event = namedProblem, case .incident = event.kind,
      let group = session.incidents.groups.last(where: { $0.start == event.time.seconds }),
      let entry = group.ranked.first(where: { $0.series == event.series })
    {
      let (metric, kind) = (entry.series.fullName, entry.incident.kind.name)
      offered = [IgnoredChange(metric: metric), IgnoredChange(metric: metric, kind: kind)]
      offered.append(IgnoredChange(metric: nil, kind: kind))
    }
    if let focus = front.subjects.first.map({ IgnoredChange(metric: $0.fullName) }), !offered.contains(focus)
    {
      offered.append(focus)
    }
    return offered.filter { !ignored.contains($0) }.map { ("Ignore \($0.text)", $0) }
      + ignored.map { ("Ignored: \($0.text) (Enter shows it again)", $0) }
  }
}
