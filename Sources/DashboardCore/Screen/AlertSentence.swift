import Aggregation
import Codecs
import Platform
import QueryLanguage
package import TerminalUI

/// The current problem with its start and the keys that lead to it: the first line of Live and History.
///
/// `▌ net.request_ms 75ms → 9.8s (130×), queue_depth 45× since 04:35:39 │ 2 more │ e Enter Enter its line`,
/// or with a limit `▌ net.request_ms 130× its usual: p95 9.8s, limit 400ms since 04:35:41, with queue_depth 45×`
package struct AlertSentence {
  package let session: Session
  /// The event described.
  package let event: ChangeEvent?
  /// The keys to mention; `nil` for those that lead to the event from the present.
  private let keys: Line?

  /// Creates a sentence about the selected event, or the worst.
  package init(session: Session) {
    self.session = session
    event = session.namedEvent
    keys = nil
  }

  package init(session: Session, about event: ChangeEvent, keys: Line) {
    (self.session, self.event, self.keys) = (session, event, keys)
  }

  private static let back = ", back within it"

  private var theme: Theme { session.theme }
  private var separator: String { " \(theme.signs.separator) " }

  /// The longest wording that fits; the shortest if none does.
  package func line(width: Int, _ repertoire: Repertoire) -> Line {
    let events = session.alerts.events
    guard let event else {
      return nothing.first { $0.width(repertoire) <= width } ?? nothing[nothing.count - 1]
    }
    let company = company(of: event)
    // A sentence about one metric does not count other events.
    let others =
      keys != nil
      ? 0
      : events.lazy.filter {
        $0.isWrong(by: .distantFuture) && !$0.isAcknowledged && $0.id != event.id
          && !(company?.tells($0) ?? false)
      }.count
    let whole = start(event, event.subject, text(of: event, company))
    let exact = company == nil ? start(event, event.subject, event.exact) : whole
    let lead = start(event, event.subject, event.lead)
    let names = names(company)
    let with = Line(names.isEmpty ? "" : ", " + names, theme[.dim])
    let brief = start(event, event.subject, event.brief)
    let short = start(event, event.series?.label ?? event.subject, event.brief)
    let since = Line(" " + moment(event), theme[.text])
    let clock = Line(" " + session.zone.moment(event.time, now: session.now), theme[.text])
    let more = others > 0 ? Line(separator + "\(others) more", theme[.dim]) : Line()
    let keys = keys.map { Line(separator, theme[.border]) + $0 } ?? keys(event)
    func wordings(_ time: Line) -> [() -> Line] {
      [
        { exact + time + with + more + keys }, { whole + time + with + more + keys },
        { whole + time + with + more }, { whole + time + with },
        { whole + time + more + keys }, { lead + time + more + keys }, { whole + time + more },
        { brief + time + more + keys }, { lead + time + more }, { brief + time + more }, { brief + time },
        { short + time },
      ]
    }
    // A recovered metric is more important than other alerts, but less than the current problem.
    let back = event.isBack ? wordings(since + Line(Self.back, theme[.text])).dropLast() : []
    let line =
      (back + wordings(since) + [{ short + clock }]).lazy.map { $0() }.first { $0.width(repertoire) <= width }
      ?? short
    return line.hinting(session.keyText(event.kind == .file(.rejected) ? "!" : "e"))
  }

  /// The sentence for a linear reader: without its keys.
  package var spoken: String {
    guard let event else { return session.knowsIncidents ? nothing[0].text : "Still looking for incidents" }
    let company = company(of: event)
    let moment = moment(event) + (event.isBack ? Self.back : "")
    let parts = [event.subject, event.note + text(of: event, company), moment, names(company)]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The group that an excess of a limit belongs to; an incident lists its own group.
  private func company(of event: ChangeEvent) -> AlertCompany? {
    event.kind == .overLimit && event.end == nil
      ? AlertCompany(of: event, among: session.incidents.groups, at: session.present) : nil
  }

  private func names(_ company: AlertCompany?) -> String {
    let names = company?.names(session.incidentFormatter) ?? ""
    return names.isEmpty ? "" : "with " + names
  }

  private func text(of event: ChangeEvent, _ company: AlertCompany?) -> String {
    guard let company else { return event.text }
    return (company.multiple.map { "\($0): " } ?? "") + event.lead
  }

  /// The texts if there is no problem, longest first: what is watched, and how small a change would be noticed.
  private var nothing: [Line] {
    if !session.knowsIncidents {
      return [Line("Looking for incidents", theme[.dim])]
    }
    let wrong = session.alerts.events.filter { $0.isWrong(by: .distantFuture) }
    let seen = wrong.count(where: \.isAcknowledged)
    let later = wrong.count - seen
    let more = later > 0 ? separator + "\(later) later" : ""
    // The sentence must not contradict the rows, which have signs for silent metrics.
    let silent = session.alerts.signs.values.count { $0 == .silent }
    let quiet = silent > 0 ? separator + "\(silent) silent" : ""
    let acknowledged = seen > 0 ? separator + "\(seen) acknowledged" : ""
    let rules = session.notes.last.ignored.count
    let ignored = rules > 0 ? separator + "\(rules) ignored" : ""
    let ending = quiet + acknowledged + ignored + more
    let watch = session.incidents.found?.watch ?? IncidentWatch()
    guard !session.shown.status.isRemote else {
      return [Line("Incidents are searched for in files only" + ending, theme[.dim])]
    }
    guard watch.count > 0 else {
      return [Line("Too few samples yet to know what is usual" + ending, theme[.dim])]
    }
    let count = max(0, watch.count - silent - unusual.count)
    let usual = "\(count) metric\(count == 1 ? "" : "s") as usual"
    let length = session.knownRange.map { range in
      let end = min(session.present, range.upperBound)
      return " for \(DurationFormat.text(max(0, end - range.lowerBound).rounded()))"
    }
    let power = watch.smallestChange.map {
      "; a change to about \(NumberFormat.text($0, decimals: 1))× would be noticed"
    }
    return [usual + (length ?? "") + (power ?? ""), usual + (length ?? ""), usual].map {
      Line($0 + ending, theme[.dim])
    }
  }

  /// Series in acknowledged and ignored incidents that last.
  private var unusual: Set<SeriesIdentity> {
    let entries = session.acknowledgedGroups.flatMap(\.entries) + session.incidents.hidden
    let lasting = entries.filter {
      $0.incident.covers(session.present.seconds) && session.alerts.signs[$0.series] != .silent
    }
    return Set(lasting.map(\.series))
  }

  private func start(_ event: ChangeEvent, _ subject: String, _ text: String) -> Line {
    let isOver = event.isOver(at: session.present) || event.isAcknowledged
    let sign = isOver ? theme[.warning] : theme[.alert]
    var line = Line([
      Span(theme.signs.severity + " ", sign.adding(.bold)), Span(subject, theme[.title]),
    ])
    if event.isAcknowledged { line.append(" acknowledged:", theme[.dim]) }
    line.append(" " + self.text(text), theme[.value])
    return line
  }

  private func text(_ text: String) -> String {
    theme.signs.tier == .ascii
      ? text.split(separator: "→", omittingEmptySubsequences: false).joined(separator: theme.signs.arrow)
      : text
  }

  /// A time such as `since 04:35:39`, or `04:35:39-04:35:47`.
  private func moment(_ event: ChangeEvent) -> String {
    let zone = session.zone
    let first = zone.exactMoment(event.time, now: session.now, .seconds)
    if event.kind.isOfFile { return "at \(first)" }
    guard case .incident = event.kind, let end = event.end else { return "since \(first)" }
    return first + "-" + zone.end(end, after: event.time)
  }

  private func keys(_ event: ChangeEvent) -> Line {
    if event.kind == .file(.rejected) {
      return Line([
        Span(separator, theme[.border]), Span(session.keyText("!"), theme[.key]),
        Span(" lists them", theme[.dim]),
      ])
    }
    guard !event.kind.isOfFile, session.history.isAvailable else { return Line() }
    let visit = session.visit.flatMap { $0.event.id == event.id ? $0 : nil }
    var line = Line(separator, theme[.border])
    if let visit, visit.peak != nil, !visit.isAtPeak {
      line.spans += [Span(session.keyText("e"), theme[.key]), Span(" its worst  ", theme[.dim])]
    } else if visit == nil {
      line.spans += [Span("\(session.keyText("e")) ", theme[.key])]
    }
    let enter = Line([Span(session.keyText("Enter Enter"), theme[.key]), Span(" its line", theme[.dim])])
    return line + enter.hinting(session.keyText("Enter"))
  }
}

extension ChangeEvent {
  /// True if the event has ended before a time.
  fileprivate func isOver(at moment: Timestamp) -> Bool { end.map { $0 < moment } ?? false }
}

extension Line {
  fileprivate static func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }
}
