/// An event of the engine: the second column of the transition table.
package enum SyncEvent: Hashable, Sendable {
  /// A run was asked for.
  case syncRequested(SyncTrigger)
  /// The health probe failed, but not with 429; a run that is cancelled while it probes fails so too.
  case probeFailed(SyncError)
  /// The health probe got a good answer.
  case probeSucceeded
  /// The server took so many mutations.
  case pushAcknowledged(count: Int)
  /// The server had that mutation already.
  case pushDuplicated
  /// A mutation was not taken; `attempts` includes this one.
  case pushFailed(SyncError, attempts: Int)
  /// The server has another version than the one that a mutation was made on; it goes again with what that says.
  case pushConflicted(SyncError)
  /// The push phase cannot go on: no answer came, or the session is no longer accepted. No change is to blame.
  case pushInterrupted(SyncError)
  /// A batch of several was not taken as a whole.
  case batchFailed(SyncError)
  /// 429, with the wait that the server asked for.
  case rateLimited(retryAfter: Duration?)
  /// No mutation is left that this run has not dealt with.
  case pushFinished
  /// A page of the change feed was applied.
  case pageApplied(cursor: SyncCursor, count: Int, hasMore: Bool)
  /// The local rows were replaced by the server's, as of `cursor`.
  case bootstrapApplied(cursor: SyncCursor, count: Int)
  /// Store, fetch or bootstrap failed.
  case runFailed(SyncError)
  /// The active run was cancelled.
  case runCancelled
  /// The breaker's backoff is over.
  case backoffElapsed
  /// The next try is due, after a call without an answer or a counted failure.
  case retryElapsed
  /// The network is back.
  case networkReturned
  /// Somebody reset the breaker.
  case breakerReset
  /// Somebody removed all mutations.
  case pendingCleared
  /// Somebody asked for everything to be fetched again.
  case resyncForced
  /// Somebody moved the cursor to the server's newest.
  case cursorSkipped(cursor: SyncCursor)
  /// Somebody dropped the store's handle.
  case storeReset

  /// The name of an event, without what belongs to it.
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case syncRequested, probeFailed, probeSucceeded, pushAcknowledged, pushDuplicated, pushFailed,
      pushInterrupted, pushConflicted
    case batchFailed, rateLimited, pushFinished, pageApplied, bootstrapApplied, runFailed, runCancelled,
      backoffElapsed
    case retryElapsed, networkReturned, breakerReset, pendingCleared, resyncForced, cursorSkipped, storeReset

    /// The event in words, as diagrams and screens show it.
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

  /// The trigger of a run, for an event that asks for one.
  package var trigger: SyncTrigger? { if case .syncRequested(let trigger) = self { trigger } else { nil } }

  /// The origin of the event.
  ///
  /// - Parameter byHand: Whether a person at a simulation does what an app would.
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
