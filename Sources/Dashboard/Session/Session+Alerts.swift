import Aggregation
import Platform

extension Session {
  /// Scans are made this many seconds apart at most.
  static let scanInterval = 1.0

  /// Whether all that was there at the opening lies before us; nothing at all proves nothing.
  private var seesWhole: Bool { shown.status.isLoaded && store.recorded > 0 }

  /// Scans again when the window moved, or when samples came and the last scan is a second old.
  mutating func refreshAlerts() {
    let known = alerts
    let isNew = known.recorded != store.recorded
    let moved = known.edge != edge
    let isWholeNow = seesWhole && !known.isOfWhole
    let isDue = isWholeNow || now >= known.scannedAt + Self.scanInterval || now < known.scannedAt
    guard known.recorded < 0 || moved && (isDue || isFrozen) || isNew && isDue else {
      alerts.isOfWhole = known.isOfWhole || !isNew && seesWhole
      return refreshFileEvents()
    }
    let isPast = newest.map { now - $0 > window } ?? false
    var scanner = AnomalyScanner(
      store: store, edge: edge, window: window, moment: isFrozen || isPast ? edge : now,
      limits: limits,
      baselines: known.baselines)
    let (signs, events) = scanner.scan()
    alerts = Alerts(
      signs: signs, events: events, scannedAt: now, recorded: store.recorded, edge: edge,
      baselines: scanner.baselines)
    alerts.isOfWhole = known.isOfWhole || seesWhole
    refreshFileEvents()
  }

  /// When samples that came since the last scan will be looked at; `nil` without any.
  var scanDeadline: Timestamp? {
    alerts.recorded == store.recorded ? nil : alerts.scannedAt + Self.scanInterval
  }

  /// Puts what happened to the files between the other events.
  private mutating func refreshFileEvents() {
    let own = alerts.events.filter { event in
      if case .file = event.kind { return false } else { return true }
    }
    let names = fileNames
    let files = shown.status.events.map { event in
      ChangeEvent(
        kind: .file(event.kind), time: event.time, series: nil, subject: names.short(event.source),
        text: event.text)
    }
    let events = (own + files).sorted { ($1.time, $0.subject) < ($0.time, $1.subject) }
    alerts.events = Array(events.prefix(100))
  }
}
