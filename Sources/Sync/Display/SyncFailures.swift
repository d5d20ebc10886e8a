/// A display's memory of failed runs; only a success forgets all of it.
///
/// ```swift
/// var failures = SyncFailures()
/// for await case .run(let run) in await engine.notices() { failures.runEnded(run) }
/// ```
public struct SyncFailures: Hashable, Sendable {
  /// From so many failures in a row the display escalates.
  package static let escalation = 3

  /// Failed runs in a row.
  package private(set) var consecutive = 0
  /// The failure of the last run, or `nil` if it succeeded.
  package private(set) var last: SyncError?
  /// True if a person has hidden the last failure.
  package private(set) var isDismissed = false

  /// No failures.
  public init() {}

  /// True if it goes on for so long that it has to be said more clearly.
  package var isEscalated: Bool { consecutive >= Self.escalation }

  /// The failure that stays on display while other runs go on: one that needs a person, or that goes on for long.
  package var kept: SyncError? {
    guard let last, !isDismissed, isEscalated || last.category.needsSignIn else { return nil }
    return last
  }

  /// A run ended, as ``SyncNotice/run(_:)`` says.
  public mutating func runEnded(_ run: SyncRunSummary) {
    if run.status == .success { runSucceeded() } else if let failure = run.failure { runFailed(failure) }
  }

  /// A run succeeded.
  package mutating func runSucceeded() {
    self = Self()
  }

  /// A run failed, which shows again what was dismissed before.
  ///
  /// A rate limit has a display of its own, and a cancelled run is no failure: neither counts.
  package mutating func runFailed(_ error: SyncError) {
    guard error.code != .rateLimited, error.code != .cancelled else { return }
    if consecutive < .max { consecutive += 1 }
    last = error
    isDismissed = false
  }

  /// A person has seen it: hidden until the next failure.
  public mutating func dismiss() {
    isDismissed = true
  }
}
