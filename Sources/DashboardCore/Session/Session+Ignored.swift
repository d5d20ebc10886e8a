import Aggregation
import Platform

extension FoundIncidents {
  /// A copy without ignored changes, and the incidents left out.
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
