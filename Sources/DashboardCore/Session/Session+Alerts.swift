import Aggregation
import History
package import Platform

extension Session {
  /// Minimum seconds between two scans for limits and silences.
  package static let scanInterval = 1.0

  /// True if all data present at the opening has been read; an empty store proves nothing.
  private var seesWhole: Bool { shown.status.isLoaded && store.recorded > 0 }

  /// Scans again when the window has moved, or when samples have arrived and the last scan is a second old.
  package mutating func refreshAlerts() {
    let known = alerts
    let isNew = known.recorded != store.recorded
    let hasLeftPast = known.isOfPast && !isFrozen
    let moved =
      hasLeftPast || known.edge != present || known.window != window || known.incidents != incidents.$found
    let hasLimits = known.limits != limits
    let isWholeNow = seesWhole && !known.isOfWhole
    let isDue =
      isWholeNow || hasLeftPast || hasLimits || known.window != window || known.incidents != incidents.$found
      || now >= known.scannedAt + Self.scanInterval
      || now < known.scannedAt
    guard known.recorded < 0 || hasLimits || moved && (isDue || isFrozen) || isNew && isDue else {
      alerts.isOfWhole = known.isOfWhole || !isNew && seesWhole
      return refreshEvents()
    }
    let moment = exactPresent
    var scanner = LimitScanner(
      store: store, edge: present, window: window, moment: moment, limits: limits, units: units,
      newest: newest, lasting: hasLimits || known.window != window ? [:] : known.lasting)
    alerts.scanned = scanner.scan()
    let over = alerts.scanned.compactMap { event in event.series.map { ($0, RowSign.overLimit) } }
    alerts.signs = incidents.signs(at: moment, in: store, before: present)
      .merging(over) { min($0, $1) }
    (alerts.scannedAt, alerts.recorded, alerts.edge, alerts.window) = (now, store.recorded, present, window)
    (alerts.incidents, alerts.isOfPast) = (incidents.$found, isFrozen)
    (alerts.lasting, alerts.limits) = (scanner.lasting, limits)
    alerts.isOfWhole = known.isOfWhole || seesWhole
    // Limits may change while the clock stands still.
    alerts.eventsKey = nil
    refreshEvents()
  }

  /// When the samples since the last scan are due for a scan; `nil` without any.
  package var scanDeadline: Timestamp? {
    alerts.recorded == store.recorded ? nil : alerts.scannedAt + Self.scanInterval
  }

  /// Merges incidents and file events into the results of the scan.
  package mutating func refreshEvents() {
    let key = EventsKey(
      scannedAt: alerts.scannedAt, edge: alerts.edge, incidents: incidents.$found, files: shown.status.events,
      ended: alerts.endedCount, visited: visit?.event.id, acknowledged: notes.last.acknowledged)
    guard alerts.eventsKey != key else { return }
    alerts.eventsKey = key
    let names = fileNames
    let files = shown.status.events.map { event in
      ChangeEvent(
        kind: .file(event.kind), time: event.time, series: nil, subject: names.short(event.source),
        text: event.text)
    }
    // Lasting events are counted and navigated, so keep as many of them as one pass can handle.
    let all = (alerts.scanned + alerts.ended + files).sorted(by: ChangeEvent.isNewer)
    let edge = alerts.edge
    let lasting = all.filter { $0.isWrong(by: edge) }.prefix(Self.lastingLimit)
    let others = all.filter { !$0.isWrong(by: edge) }.prefix(100)
    var events = lasting + others + incidents.events
    if let visit {
      let known = Set(events.map(\.id))
      events += visit.listed.filter { !known.contains($0.id) }
    }
    alerts.events = marked(Array(events)).sorted(by: ChangeEvent.isNewer)
  }

  /// Maximum number of lasting events kept; for others the maximum is 100.
  private static let lastingLimit = 5_000

  /// The words before an incident while the screens show one host: incidents are found in all files together.
  package var incidentPrefix: String { scope != .all && !shown.status.isRemote ? "all hosts: " : "" }

  /// True if all incidents of the files are known; without a history there are none to know.
  package var knowsIncidents: Bool { incidents.found?.isWhole ?? !history.isAvailable }

  /// The place of the worst alert in the list that is not acknowledged: limits rank before incidents, lasting alerts before ended ones.
  package var worstAlert: Int? {
    let present = present
    func isLess(_ left: ChangeEvent, _ right: ChangeEvent) -> Bool {
      let none = Severity(isOfNumbers: false)
      return (left.urgency(at: present), left.severity ?? none, left.weight, left.time)
        < (right.urgency(at: present), right.severity ?? none, right.weight, right.time)
    }
    let events = alerts.events
    return events.indices.filter { events[$0].isWrong(by: present) && !events[$0].isAcknowledged }
      .max { isLess(events[$0], events[$1]) }
  }

  /// The place of the chosen event in the list; if it is gone, the nearest one in time.
  package var alertIndex: Int? {
    guard let chosen = alertSelection else { return nil }
    let events = alerts.events
    return events.firstIndex { $0.id == chosen }
      ?? events.indices.min { abs(events[$0].time - chosen.time) < abs(events[$1].time - chosen.time) }
  }
}

extension ChangeEvent {
  /// True if it lasts at a moment.
  package func lasts(at moment: Timestamp) -> Bool { time <= moment && end.map { moment <= $0 } ?? true }

  /// True for an alert about a metric that has begun by a moment; file events have other places.
  package func isWrong(by moment: Timestamp) -> Bool {
    !kind.isOfFile && kind.isAlert && time <= moment
  }

  /// Its urgency at a moment.
  fileprivate func urgency(at moment: Timestamp) -> Int {
    switch kind {
    case .overLimit: end != nil ? 2 : isBack ? 3 : 5
    case .incident(.silent): 0
    case .incident: lasts(at: moment) ? 4 : end.map { moment - $0 <= Session.usualWindow } ?? false ? 2 : 1
    case .annotation, .recurrence, .file: 0
    }
  }

  fileprivate static func isNewer(_ left: ChangeEvent, _ right: ChangeEvent) -> Bool {
    (right.time, left.subject) < (left.time, right.subject)
  }
}
