/// An event of the engine: the second column of the transition table.
package enum SyncEvent: Hashable, Sendable {
  /// A run was requested.
  case syncRequested(SyncTrigger)
  /// The health probe failed, but not with 429; a run cancelled during the probe fails this way too.
  case probeFailed(SyncError)
  /// The health probe succeeded.
  case probeSucceeded
  /// The server accepted mutations.
  case pushAcknowledged(count: Int)
  /// The server already had a mutation.
  case pushDuplicated
  /// A mutation was not accepted; `attempts` includes this one.
  case pushFailed(SyncError, attempts: Int)
  /// The server has a version other than the one that a mutation is based on; the mutation is rebased and sent again.
  case pushConflicted(SyncError)
  /// The push phase cannot continue: no answer came, or the session is no longer valid. No change is to blame.
  case pushInterrupted(SyncError)
  /// A batch of several mutations failed as a whole.
  case batchFailed(SyncError)
  /// 429, with the wait that the server requested.
  case rateLimited(retryAfter: Duration?)
  /// This run has handled all mutations.
  case pushFinished
  /// A page of the change feed was applied.
  case pageApplied(cursor: SyncCursor, count: Int, hasMore: Bool)
  /// The local rows were replaced by the server's as of `cursor`.
  case bootstrapApplied(cursor: SyncCursor, count: Int)
  /// Store, fetch or bootstrap failed.
  case runFailed(SyncError)
  /// The active run was cancelled.
  case runCancelled
  /// The breaker's backoff has elapsed.
  case backoffElapsed
  /// The next retry is due, after a call without an answer or a counted failure.
  case retryElapsed
  /// The network is back.
  case networkReturned
  /// The breaker was reset manually.
  case breakerReset
  /// All mutations were removed.
  case pendingCleared
  /// A full fetch was requested.
  case resyncForced
  /// The cursor was moved to the server's newest.
  case cursorSkipped(cursor: SyncCursor)
  /// The store's handle was dropped.
  case storeReset

  /// The name of an event, without its associated values.
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case syncRequested, probeFailed, probeSucceeded, pushAcknowledged, pushDuplicated, pushFailed,
      pushInterrupted, pushConflicted
    case batchFailed, rateLimited, pushFinished, pageApplied, bootstrapApplied, runFailed, runCancelled,
      backoffElapsed
    case retryElapsed, networkReturned, breakerReset, pendingCleared, resyncForced, cursorSkipped, storeReset

    /// A description of the event, as diagrams and screens show it.
    package var words: String {
      switch self {
      case .syncRequested: "sync requested"
      case .probeFailed: "probe failed"
      case .probeSucceeded: "probe succeeded"
      case .pushAcknowledged: "push acknowledged"
      case .pushDuplicated: "push duplicated"
      case .pushFailed: "push failed"
      case .pushInterrupted: "push interrupted"
      case .pushConflicted: "push conflicted"
      case .batchFailed: "batch failed"
      case .rateLimited: "429"
      case .pushFinished: "push finished"
      case .pageApplied: "page applied"
      case .bootstrapApplied: "bootstrap applied"
      case .runFailed: "run failed"
      case .runCancelled: "run cancelled"
      case .backoffElapsed: "backoff elapsed"
      case .retryElapsed: "next try due"
      case .networkReturned: "network returned"
      case .breakerReset: "breaker reset"
      case .pendingCleared: "pending cleared"
      case .resyncForced: "full resync forced"
      case .cursorSkipped: "cursor skipped"
      case .storeReset: "store reset"
      }
    }
  }

  /// The name of this event.
  package var kind: Kind {
    switch self {
    case .syncRequested: .syncRequested
    case .probeFailed: .probeFailed
    case .probeSucceeded: .probeSucceeded
    case .pushAcknowledged: .pushAcknowledged
    case .pushDuplicated: .pushDuplicated
    case .pushFailed: .pushFailed
    case .pushInterrupted: .pushInterrupted
    case .pushConflicted: .pushConflicted
    case .batchFailed: .batchFailed
    case .rateLimited: .rateLimited
    case .pushFinished: .pushFinished
    case .pageApplied: .pageApplied
    case .bootstrapApplied: .bootstrapApplied
    case .runFailed: .runFailed
    case .runCancelled: .runCancelled
    case .backoffElapsed: .backoffElapsed
    case .retryElapsed: .retryElapsed
    case .networkReturned: .networkReturned
    case .breakerReset: .breakerReset
    case .pendingCleared: .pendingCleared
    case .resyncForced: .resyncForced
    case .cursorSkipped: .cursorSkipped
    case .storeReset: .storeReset
    }
  }

  /// The trigger of the run that the event requests, if any.
  package var trigger: SyncTrigger? { if case .syncRequested(let trigger) = self { trigger } else { nil } }

  /// The origin of the event.
  ///
  /// - Parameter byHand: True if a person acts for the app in a simulation.
  package func origin(byHand: Bool) -> SyncOrigin {
    switch self {
    case .syncRequested(let trigger):
      switch trigger {
      case .app: byHand ? .person : .app
      case .followUp: .rule
      case .queue, .reachability, .retry, .backoff: .timer
      }
    case .networkReturned, .breakerReset, .pendingCleared, .resyncForced, .cursorSkipped, .storeReset,
      .runCancelled:
      byHand ? .person : .app
    case .backoffElapsed, .retryElapsed: .timer
    case .pushFinished: .rule
    case .probeFailed, .probeSucceeded, .pushAcknowledged, .pushDuplicated, .pushFailed, .pushInterrupted,
      .pushConflicted, .batchFailed, .rateLimited, .pageApplied, .bootstrapApplied, .runFailed:
      .server
    }
  }
}
