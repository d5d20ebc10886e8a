public import Telemetry

/// What the driver is told to do: the machine decides, the driver performs.
public enum SyncAction: Hashable, Sendable {
  /// Begin an interval.
  case begin(SyncSignposts.Interval)
  /// End an interval that was begun, with a word on how.
  case end(SyncSignposts.Interval, outcome: String)
  /// Record an event.
  case emit(SyncSignposts.Event)
  /// Make the health probe and report ``SyncEvent/probeSucceeded``, ``SyncEvent/probeFailed(_:)`` or 429.
  case probe
  /// Remember which entities have a delete waiting.
  case capturePendingDeletes
  /// Push what waits, one request after the other, as long as the machine is in the push phase.
  case push
  /// Store the failed attempt and keep the mutation that the event is about.
  case keepMutation
  /// Make the mutation that the event is about a dead letter, and its row failed.
  case buryMutation
  /// Fetch and apply the page after the cursor.
  case pull(since: Int64)
  /// Fetch everything, stage it and swap.
  case bootstrap
  /// Store the cursor.
  case storeCursor(Int64)
  /// Store the moment as that of the last success.
  case storeSuccess
  /// Record how the run ended; a run that was not skipped gets a row in the history.
  case recordRun(SyncRunSummary)
  /// Report ``SyncEvent/backoffElapsed`` at that time of the engine's clock.
  case startTimer(until: Duration)
  /// Report nothing any more.
  case cancelTimer
  /// Ask for a run, as a caller would.
  case requestRun
  /// Wait for the active run up to ``SyncConfiguration/resyncWait``, then cancel it.
  case awaitRun
  /// Cancel the active run by its token.
  case cancelRun
  /// Drop the store's handle.
  case dropStore
  /// The run is over.
  case releaseRun
  /// Tell the app that a bootstrap is complete; nothing touches the store after it.
  case notifyBootstrapCompleted
}

/// What a run came to.
public struct SyncRunSummary: Hashable, Sendable {
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
  public let sequence: Int
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
  /// Why, unless it succeeded.
  public let error: String?
  /// Whether everything was fetched anew.
  public let isBootstrap: Bool
  /// The cursor at its end.
  public let cursor: Int64
}
