/// The way a row ends a run; the resulting status depends on the pushes.
package enum SyncEnding: String, Hashable, Sendable, CaseIterable {
  /// Success, or partial if any push failed or was rate-limited.
  case completed
  /// Partial if something was pushed, otherwise failed.
  case limited
  /// Failed.
  case failed
  /// The probe failed: no row in the history.
  case skipped
}

/// The result of a run.
public struct SyncRunSummary: Hashable, Sendable, Codable {
  /// The status at the end of a run.
  public enum Status: String, Hashable, Sendable, Codable {
    /// Everything that was attempted succeeded.
    case success
    /// Some pushes failed or were rate-limited.
    case partial
    /// The run ended early.
    case failed
    /// The probe failed: nothing was attempted.
    case skipped
  }

  /// The number of the run, from 1.
  package let sequence: Int
  /// The trigger of the run.
  public let trigger: SyncTrigger
  /// The status at its end.
  public let status: Status
  /// Mutations that the server accepted.
  public let pushed: Int
  /// Changes applied.
  public let pulled: Int
  /// Pushes that failed or were rate-limited.
  public let failed: Int
  /// The duration of the run.
  public let duration: Duration
  /// The failure that ended the run; `nil` for a run that reached its end, even with failed pushes.
  public package(set) var failure: SyncError?
  /// True if everything was fetched again.
  public let isBootstrap: Bool
  /// The cursor at its end.
  package let cursor: SyncCursor

  /// The failure as text, at most 2 KiB, unless it succeeded.
  package var error: String? { failure?.keptText }
}
