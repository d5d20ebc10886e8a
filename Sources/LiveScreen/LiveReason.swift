import Aggregation
import Codecs
import DashboardCore
import Platform

/// The reason for a row's rank in the order of severity, in a word.
package struct LiveReason: Hashable, Sendable {
  /// The kinds of reasons, most severe first.
  enum Kind: Int, Hashable, Sendable {
    /// Beyond its limit.
    case limit
    /// In a lasting incident.
    case incident
    /// Without its usual samples.
    case silent
    /// In an incident of the last hour that has ended, or back within its limit.
    case past
    /// With an unusual last value.
    case mark
  }

  let kind: Kind
  /// The severity among reasons of the same kind.
  let severity: Severity
  /// The magnitude: `172×`, `16s`, `98%`, `high`; empty for a limit.
  private(set) var amount = ""

  /// True if its row precedes another one's: numbers in trouble precede texts and bools.
  func precedes(_ other: LiveReason) -> Bool {
    guard place == other.place else { return place < other.place }
    return severity > other.severity
  }

  private var place: Int {
    let isTrouble = kind.rawValue <= Kind.incident.rawValue
    return isTrouble && !severity.isOfNumbers ? 2 * Kind.incident.rawValue + 1 : 2 * kind.rawValue
  }

  /// True if numbers are at least ten times their usual value, shown in red instead of amber.
  var isLarge: Bool { severity.isOfNumbers && severity.size >= 10 }

  /// The full text, for descriptions and the clipboard: `over its limit`, `172×`, `silent 16s`, `was 172×`, `high`.
  var words: String {
    switch kind {
    case .limit: "over its limit"
    case .incident: severity.isOfNumbers ? amount : "unusual \(amount)"
    case .silent: "silent \(amount)"
    case .past: "was \(severity.isOfNumbers ? "" : "unusual ")\(amount)"
    case .mark: amount
    }
  }
}

extension LiveReason {
  /// The reason that follows from an incident of the series.
  init(_ entry: IncidentLog.Entry, isOver: Bool) {
    let incident = entry.incident
    (kind, severity) = (isOver ? .past : .incident, incident.severity)
    switch incident.kind {
    case .above, .below, .outlier:
      amount = IncidentFormatter.factor(of: entry) ?? (incident.isRise ? "high" : "low")
    case .drift: amount = IncidentFormatter.factor(of: entry) ?? "drifts"
    case .rate: amount = IncidentFormatter.factor(of: entry).map { "n \($0)" } ?? "rate"
    case .tail: amount = "tail \(NumberFormat.share(incident.peak))"
    case .outcome: amount = NumberFormat.share(incident.peak)
    case .silent: amount = DurationFormat.text(incident.peak)
    }
  }

  /// The reason for a limit that is still exceeded; `nil` for other events, and for one that has ended.
  init?(_ event: ChangeEvent, at moment: Timestamp) {
    guard event.kind == .overLimit, let severity = event.severity, event.lasts(at: moment) else { return nil }
    (kind, self.severity) = (event.isBack ? .past : .limit, severity)
    amount = event.isBack ? "over" : ""
  }

  /// The reason for a series that has been silent for a number of seconds.
  init(silentFor seconds: Double, isNumber: Bool) {
    (kind, severity) = (.silent, Severity(isOfNumbers: isNumber, size: seconds))
    let whole = max(1, seconds.rounded())
    let unit = whole < 60 ? 1.0 : whole < 3600 ? 60 : whole < 86_400 ? 3600 : 86_400
    amount = DurationFormat.text((whole / unit).rounded(.down) * unit)
  }

  /// The reason for a series whose last value is far from its usual range.
  init(_ usual: UsualRange, value: Double) {
    (kind, severity) = (.mark, Severity(isOfNumbers: true, size: usual.distance(of: value)))
    amount = value > usual.p50 ? "high" : "low"
  }
}

extension LiveScreen {
  /// Current problems of each series, and those of the last hour.
  var troubles: [SeriesIdentity: LiveReason] {
    let present = session.present
    var found: [SeriesIdentity: LiveReason] = [:]
    func note(_ reason: LiveReason?, of series: SeriesIdentity) {
      guard let reason else { return }
      if let known = found[series], !reason.precedes(known) { return }
      found[series] = reason
    }
    for group in session.incidents.groups.suffix(Incidents.eventLimit) where group.start <= present.seconds {
      for entry in group.entries where entry.incident.kind != .silent {
        let isOver = !entry.incident.covers(present.seconds)
        guard !isOver || present.seconds - (entry.incident.end.time ?? 0) <= Session.reach else { continue }
        note(LiveReason(entry, isOver: isOver), of: entry.series)
      }
    }
    for (series, sign) in session.alerts.signs where sign == .silent {
      guard let tally = session.store.id(of: series).map({ session.store.tally(of: $0) }) else { continue }
      let last = min(tally.end, present)
      note(LiveReason(silentFor: session.exactPresent - last, isNumber: tally.numbers > 0), of: series)
    }
    for event in session.alerts.events {
      if let series = event.series { note(LiveReason(event, at: present), of: series) }
    }
    return found
  }

  /// Reasons from the last values of series that have no other problem.
  ///
  /// - Parameter troubles: The problems of the other series.
  func marks(beside troubles: [SeriesIdentity: LiveReason]) -> [SeriesIdentity: LiveReason] {
    guard session.store.count <= LiveOrder.comparedLimit else { return [:] }
    var found: [SeriesIdentity: LiveReason] = [:]
    for id in session.store.allSeries {
      guard let identity = session.store.identity(of: id), troubles[identity] == nil,
        !identity.isEngineRecord,
        let usual = UsualRange(of: id, in: session.store, before: session.present),
        case .number(let now) = lastValue(of: id, isAhead: false), usual.sign(of: now) != nil
      else { continue }
      found[identity] = LiveReason(usual, value: now)
    }
    return found
  }

  /// The reason for a row's rank; `nil` without anything unusual.
  func reason(of row: LiveRow, _ stats: RowStats) -> LiveReason? {
    guard case .series(let identity) = row.id else { return nil }
    if let known = state.order.reasons[identity] { return known }
    guard case .number(let now) = stats.now, let usual = stats.usual, usual.sign(of: now) != nil else {
      return nil
    }
    return LiveReason(usual, value: now)
  }
}
