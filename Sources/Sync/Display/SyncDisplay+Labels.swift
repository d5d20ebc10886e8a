extension SyncDisplay {
  /// The display as one line, for instance `Syncing 3 of 10 (30 %)`.
  ///
  /// Contains no text from a server: that is in the error of ``failed(_:consecutive:)``.
  public var label: String {
    switch self {
    case .failed(let error, let consecutive): Self.label(of: error, consecutive)
    case .offline(let pending): pending > 0 ? "Offline, \(Self.waiting(pending))" : "Offline"
    case .syncing(let synced, let total): Self.label(of: SyncProgress(synced: synced, total: total))
    case .downloading: "Downloading changes"
    case .rateLimited(let pending, let remaining): Self.label(pending: pending, remaining: remaining)
    case .synced: "All synced"
    case .hidden(let pending): pending > 0 ? Self.waiting(pending) : "No changes waiting"
    }
  }

  /// A countdown for people: `in 4m 5s`, or `now`.
  package static func countdown(_ remaining: Duration) -> String {
    // Longer than any real wait, and far below the limit of `Duration`.
    let bounded = min(remaining, .seconds(1_000_000_000))
    guard bounded > .zero else { return "now" }
    let (whole, part) = bounded.components
    let seconds = whole + (part > 0 ? 1 : 0)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours > 0 { return "in \(hours)h \(minutes)m \(seconds % 60)s" }
    return minutes > 0 ? "in \(minutes)m \(seconds % 60)s" : "in \(seconds)s"
  }

  private static func waiting(_ pending: Int) -> String {
    pending == 1 ? "1 change waiting" : "\(pending) changes waiting"
  }

  private static func label(of error: SyncError, _ consecutive: Int) -> String {
    let times = consecutive >= SyncFailures.escalation ? " \(consecutive) times in a row" : ""
    return "Sync failed\(times): \(error.category.label)"
  }

  private static func label(of progress: SyncProgress) -> String {
    guard let percent = progress.percent else { return "Syncing" }
    return "Syncing \(progress.synced) of \(progress.total) (\(percent) %)"
  }

  private static func label(pending: Int, remaining: Duration) -> String {
    let changes = pending > 0 ? ", \(waiting(pending))" : ""
    return "Rate limited\(changes), next attempt \(countdown(remaining))"
  }
}
