/// What happened to the engine: the second column of the transition table.
public enum SyncEvent: Hashable, Sendable {
  /// Somebody asked for a run.
  case syncRequested
  /// The health probe failed, but not with 429; a run that is cancelled while it probes fails so too.
  case probeFailed(SyncError)
  /// The health probe got a good answer.
  case probeSucceeded
  /// The server took so many mutations.
  case pushAcknowledged(count: Int)
  /// The server had that mutation already.
  case pushDuplicated
  /// A mutation was not taken; `attempts` includes this one, `isAnswered` says whether the server answered.
  case pushFailed(attempts: Int, isAnswered: Bool)
  /// A batch of several was not taken as a whole.
  case batchFailed(isAnswered: Bool)
  /// 429, with the wait that the server asked for.
  case rateLimited(retryAfter: Duration?)
  /// No mutation is left that this run has not dealt with.
  case pushFinished
  /// A page of the change feed was applied.
  case pageApplied(cursor: Int64, count: Int, hasMore: Bool)
  /// The local rows were replaced by the server's, as of `cursor`.
  case bootstrapApplied(cursor: Int64, count: Int)
  /// Store, fetch or bootstrap failed.
  case runFailed(SyncError)
  /// The active run was cancelled.
  case runCancelled
  /// The breaker's backoff is over.
  case backoffElapsed
  /// Somebody reset the breaker.
  case breakerReset
  /// Somebody removed all mutations.
  case pendingCleared
  /// Somebody asked for everything to be fetched anew.
  case resyncForced
  /// Somebody moved the cursor to the server's newest.
  case cursorSkipped(cursor: Int64)
  /// Somebody dropped the store's handle.
  case storeReset

  /// The name of an event, without what belongs to it.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case syncRequested, probeFailed, probeSucceeded, pushAcknowledged, pushDuplicated, pushFailed, batchFailed
    case rateLimited, pushFinished, pageApplied, bootstrapApplied, runFailed, runCancelled, backoffElapsed
    case breakerReset, pendingCleared, resyncForced, cursorSkipped, storeReset

    /// The event in words, as diagrams and screens show it.
    public var words: String {
      switch self {
      case .syncRequested: "sync requested"
      case .probeFailed: "probe failed"
      case .probeSucceeded: "probe succeeded"
      case .pushAcknowledged: "push acknowledged"
      case .pushDuplicated: "push duplicated"
      case .pushFailed: "push failed"
      case .batchFailed: "batch failed"
      case .rateLimited: "429"
      case .pushFinished: "push finished"
      case .pageApplied: "page applied"
      case .bootstrapApplied: "bootstrap applied"
      case .runFailed: "run failed"
      case .runCancelled: "run cancelled"
      case .backoffElapsed: "backoff elapsed"
      case .breakerReset: "breaker reset"
      case .pendingCleared: "pending cleared"
      case .resyncForced: "full resync forced"
      case .cursorSkipped: "cursor skipped"
      case .storeReset: "store reset"
      }
    }
  }

  /// The name of this event.
  public var kind: Kind {
    switch self {
    case .syncRequested: .syncRequested
    case .probeFailed: .probeFailed
    case .probeSucceeded: .probeSucceeded
    case .pushAcknowledged: .pushAcknowledged
    case .pushDuplicated: .pushDuplicated
    case .pushFailed: .pushFailed
    case .batchFailed: .batchFailed
    case .rateLimited: .rateLimited
    case .pushFinished: .pushFinished
    case .pageApplied: .pageApplied
    case .bootstrapApplied: .bootstrapApplied
    case .runFailed: .runFailed
    case .runCancelled: .runCancelled
    case .backoffElapsed: .backoffElapsed
    case .breakerReset: .breakerReset
    case .pendingCleared: .pendingCleared
    case .resyncForced: .resyncForced
    case .cursorSkipped: .cursorSkipped
    case .storeReset: .storeReset
    }
  }

  /// Whether only a person or the app brings this about, as against the server or time.
  public var isCommand: Bool {
    switch kind {
    case .syncRequested, .breakerReset, .pendingCleared, .resyncForced, .cursorSkipped, .storeReset: true
    case .probeFailed, .probeSucceeded, .pushAcknowledged, .pushDuplicated, .pushFailed, .batchFailed,
      .rateLimited,
      .pushFinished, .pageApplied, .bootstrapApplied, .runFailed, .runCancelled, .backoffElapsed:
      false
    }
  }
}
