/// How a row ends a run; what that comes to depends on what was pushed.
package enum SyncEnding: String, Hashable, Sendable, CaseIterable {
  /// Success, or partial if any push failed or was limited.
  case completed
  /// Partial if something was pushed, else failed.
  case limited
  /// Failed.
  case failed
  /// The probe failed: no row in the history.
  case skipped
}

/// The result of a run.
public struct SyncRunSummary: Hashable, Sendable, Codable {
  /// How a run ended.
  public enum Status: String, Hashable, Sendable, Codable {
    /// Everything that was tried worked.
    case success
    /// Some pushes failed or were limited.
    case partial
    /// The run ended early.
    case failed
    /// The probe failed: nothing was tried.
    case skipped
  }

  /// The number of the run, from 1.
  package let sequence: Int
  /// The trigger of the run.
  public let trigger: SyncTrigger
  /// How it ended.
  public let status: Status
  /// Mutations that the server took.
  public let pushed: Int
  /// Changes that were applied.
  public let pulled: Int
  /// Pushes that failed or were limited.
  public let failed: Int
  /// How long it took.
  public let duration: Duration
  /// Why, unless it succeeded; of a run that ended for a reason of its own.
  public package(set) var failure: SyncError?
  /// True if everything was fetched again.
  public let isBootstrap: Bool
  /// The cursor at its end.
  package let cursor: SyncCursor

  /// Why in words, at most 2 KiB of them, unless it succeeded.
  package var error: String? { failure?.keptText }
}
