import Aggregation
import Platform

extension IncidentGroup {
  /// True if it is acknowledged, whichever of its series heads it now.
  fileprivate func isAmong(_ acknowledged: [Acknowledgement]) -> Bool {
    acknowledged.contains { mark in
      entries.contains { $0.series.fullName == mark.metric && mark.isOf($0.incident.start) }
    }
  }
}

extension Session {
  /// Groups that are acknowledged.
  var acknowledgedGroups: [IncidentGroup] {
    let marks = notes.last.acknowledged
    return marks.isEmpty ? [] : incidents.groups.filter { $0.isAmong(marks) }
  }

  /// Copies of events, marked where acknowledged.
  package func marked(_ events: [ChangeEvent]) -> [ChangeEvent] {
    let (marks, starts) = (notes.last.acknowledged, Set(acknowledgedGroups.map(\.start)))
    return events.map { event in
      var event = event
      event.isAcknowledged =
        switch event.kind {
        case .incident: starts.contains(event.time.seconds)
        case .overLimit: marks.contains { $0.metric == event.subject && $0.isOf(event.time.seconds) }
        case .annotation, .recurrence, .file: false
        }
      return event
    }
  }

  /// The event acknowledged last; `nil` without any.
  private var lastAcknowledged: ChangeEvent? {
    notes.last.acknowledged.reversed().lazy.compactMap { mark in
      let events = alerts.events.filter { $0.isAcknowledged && mark.isOf($0.time.seconds) }
      return events.first { $0.subject == mark.metric } ?? events.first
    }.first
  }

  /// The event that the first line names: the chosen one, or the worst that is not acknowledged.
  var namedEvent: ChangeEvent? { (alertIndex ?? worstAlert).map { alerts.events[$0] } }

  /// The same, or the event acknowledged last if the first line names none.
  package var headline: ChangeEvent? { namedEvent ?? lastAcknowledged }

  /// Acknowledges a problem with all that began with it, or takes that back; kept for this file.
  package mutating func toggleAcknowledgement(of event: ChangeEvent) -> [Effect] {
    let starts =
      event.kind == .overLimit
      ? AlertCompany(of: event, among: incidents.groups, at: present).starts : [event.time.seconds]
    let told = incidents.groups.filter { starts.contains($0.start) }
    var marks = told.compactMap { group in
      group.ranked.first.map { Acknowledgement(metric: $0.series.fullName, start: group.start) }
    }
    if event.kind == .overLimit {
      marks.append(Acknowledgement(metric: event.subject, start: event.time.seconds))
    }
    var view = notes.last
    if event.isAcknowledged {
      view.acknowledged.removeAll { old in
        told.contains { $0.isAmong([old]) }
          || marks.contains { $0.metric == old.metric && $0.isOf(old.start) }
      }
      showToast("\(event.subject) is no longer acknowledged")
    } else {
      view.acknowledged += marks
      showToast("Acknowledged \(event.subject) \(event.brief): it stays in the list of changes")
    }
    notes.keep(view)
    return [.keep(notes)]
  }
}
