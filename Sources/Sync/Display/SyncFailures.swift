/// Failed runs as a display remembers them; only a success clears them.
///
/// ```swift
/// var failures = SyncFailures()
/// for await case .run(let run) in await engine.notices() { failures.runEnded(run) }
/// ```
public struct SyncFailures: Hashable, Sendable {
  /// Consecutive failures from which the display escalates.
  package static let escalation = 3

  /// Consecutive failed runs.
  package private(set) var consecutive = 0
  /// The failure of the last run, or `nil` if it succeeded.
  package private(set) var last: SyncError?
  /// True if the user has hidden the last failure.
  package private(set) var isDismissed = false

  /// Creates an empty memory.
  public init() {}

  /// True if runs have failed often enough to say so more prominently.
  package var isEscalated: Bool { consecutive >= Self.escalation }

  /// The failure that stays on display during later runs: one that needs the user, or that persists.
  package var kept: SyncError? {
    guard let last, !isDismissed, isEscalated || last.category.needsSignIn else { return nil }
    return last
  }

  /// Records the end of a run, from ``SyncNotice/run(_:)``.
  public mutating func runEnded(_ run: SyncRunSummary) {
    if run.status == .success { runSucceeded() } else if let failure = run.failure { runFailed(failure) }
  }

  /// Records a successful run.
  package mutating func runSucceeded() {
    self = Self()
  }

  /// Records a failed run; a dismissed failure shows again.
  ///
  /// A rate limit has a display of its own, and a cancelled run is not a failure: neither counts.
  package mutating func runFailed(_ error: SyncError) {
    guard error.code != .rateLimited, error.code != .cancelled else { return }
    if consecutive < .max { consecutive += 1 }
    last = error
    isDismissed = false
  }

  /// Acknowledged: hidden until the next failure.
  public mutating func dismiss() {
    isDismissed = true
  }
}
