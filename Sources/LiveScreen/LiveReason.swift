import Aggregation
import Codecs
import DashboardCore
import Platform

/// Why a row stands where the order of severity puts it, in a word.
package struct LiveReason: Hashable, Sendable {
  /// From the most severe on.
  enum Kind: Int, Hashable, Sendable {
    /// Over or under its limit.
    case limit
    /// In an incident that lasts.
    case incident
    /// Without the samples that it usually has.
    case silent
    /// In an incident of the last hour that is over, or back within its limit.
    case past
    /// Its last value is unusual.
    case mark
  }

  let kind: Kind
  /// How bad it is against others of its kind.
  let severity: Severity
  /// By how much: `172×`, `16s`, `98%`, `high`; empty for a limit.
  private(set) var amount = ""

  /// True if its row stands before another one's: no text and no bool stands before a number in trouble.
  func precedes(_ other: LiveReason) -> Bool {
    guard place == other.place else { return place < other.place }
    return severity > other.severity
  }

  private var place: Int {
    let isTrouble = kind.rawValue <= Kind.incident.rawValue
    return isTrouble && !severity.isOfNumbers ? 2 * Kind.incident.rawValue + 1 : 2 * kind.rawValue
  }

  /// True if numbers are at least ten times their usual, which is red and not amber.
  var isLarge: Bool { severity.isOfNumbers && severity.size >= 10 }

  /// As it is read out: `over its limit`, `172×`, `silent 16s`, `was 172×`, `high`.
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
  /// The reason an incident gives for its series.
  init(_ entry: IncidentLog.Entry, isOver: Bool) {
    let incident = entry.incident
    (kind, severity) = (isOver ? .past : .incident, incident.severity)
    switch incident.kind {
    case .above: amount = IncidentFormatter.factor(of: entry) ?? "high"
    case .below: amount = IncidentFormatter.factor(of: entry) ?? "low"
    case .outcome: amount = NumberFormat.share(incident.peak)
    case .silent: amount = DurationFormat.text(incident.peak)
    }
  }

  /// The reason an excess of a limit gives for its series; `nil` for other events, and for one that is over.
  init?(_ event: ChangeEvent, at moment: Timestamp) {
    guard event.kind == .overLimit, let severity = event.severity, event.lasts(at: moment) else { return nil }
    (kind, self.severity) = (event.isBack ? .past : .limit, severity)
    amount = event.isBack ? "over" : ""
  }

  /// A series that has been silent for some seconds.
  init(silentFor seconds: Double, isNumber: Bool) {
    (kind, severity) = (.silent, Severity(isOfNumbers: isNumber, size: seconds))
    let whole = max(1, seconds.rounded())
    let unit = whole < 60 ? 1.0 : whole < 3600 ? 60 : whole < 86_400 ? 3600 : 86_400
    amount = DurationFormat.text((whole / unit).rounded(.down) * unit)
  }

  /// A series whose last value is far from its usual.
  init(_ usual: UsualRange, value: Double) {
    (kind, severity) = (.mark, Severity(isOfNumbers: true, size: usual.distance(of: value)))
    amount = value > usual.p50 ? "high" : "low"
  }
}

extension LiveScreen {
  /// Current problems of each series, and those within the last hour.
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

  /// Marks from the last values of series that have no other problem.
  ///
  /// - Parameter troubles: what is wrong with the others.
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

  /// Why a row stands where it does; `nil` for one that is as usual.
  func reason(of row: LiveRow, _ stats: RowStats) -> LiveReason? {
    guard case .series(let identity) = row.id else { return nil }
    if let known = state.order.reasons[identity] { return known }
    guard case .number(let now) = stats.now, let usual = stats.usual, usual.sign(of: now) != nil else {
      return nil
    }
    return LiveReason(usual, value: now)
  }
}
