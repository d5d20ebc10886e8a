/// One decision of the machine, as it is recorded in `sync`/`transition`.
public struct SyncTransition: Codable, Hashable, Sendable {
  /// The number of the decision.
  public let sequence: Int
  /// The name of the state before.
  public let from: String
  /// The name of the state after.
  public let to: String
  /// The name of the event.
  public let event: String
  /// Whether the event was turned away.
  public let refused: Bool
  /// Why it was turned away, or what failed.
  public let reason: String?
  /// The engine's clock, in seconds since its start.
  public let engineTime: Double
  /// Mutations dealt with, while syncing.
  public let synced: Int?
  /// How many there were, while syncing.
  public let total: Int?
  /// How many mutations wait.
  public let pending: Int
  /// How long the breaker is open when the state is rateLimited, in seconds.
  public let retryAfter: Double?
  /// The text of the state error.
  public let message: String?
  /// Whether a person at a simulation did it.
  public let byHand: Bool
  /// The branch that it belongs to; 0 is the main branch.
  public let branch: Int
  /// The row of the transition table that decided: ``SyncRule/number``; `nil` when none fits, and in older records.
  public let rule: String?
  /// Who brought it about: a name of ``SyncOrigin``; `nil` in older records.
  public let origin: String?
  /// The run that it belongs to, or that ended with it.
  public let run: Int?
  /// What the active run does afterwards: a name of ``SyncStateMachine/ActiveRun/Phase``; `nil` when none is active.
  public let phase: String?
  /// Who asked for a run: a name of ``SyncTrigger``.
  public let trigger: String?
  /// The code of the failure: a name of ``SyncError/Code``.
  public let failure: String?
  /// The status of the answer that was the failure.
  public let httpStatus: Int?
}

/// One change of one mutation, as it is recorded in `sync`/`mutation`.
public struct SyncMutation: Codable, Hashable, Sendable {
  /// What became of a mutation.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    case queued, sent, acknowledged, dead, cleared
  }

  /// The id of the mutation.
  public let id: String
  /// The kind of the entity.
  public let kind: String
  /// The name of the operation.
  public let operation: String
  /// The id of the entity.
  public let entity: String
  /// The length of the payload.
  public let bytes: Int
  /// Counted failures.
  public let attempts: Int
  /// What became of it.
  public let state: State
  /// The text of the last failure.
  public let lastError: String?
  /// When the change was made, in seconds since 2001.
  public let createdAt: Double
  /// The branch that it belongs to.
  public let branch: Int
}

/// The breaker, as it is recorded in `sync`/`breaker` whenever it changed.
public struct SyncBreaker: Codable, Hashable, Sendable {
  /// `closed`, `open` or `halfOpen`.
  public let state: String
  /// 429 answers in a row.
  public let consecutive: Int
  /// At how many it trips.
  public let threshold: Int
  /// The multiplier of the next backoff.
  public let multiplier: Double
  /// The end of the backoff, in seconds since 2001.
  public let until: Double?
  /// How often a run was asked for while it was open.
  public let refusedCalls: Int
  /// Whether a person at a simulation changed it.
  public let byHand: Bool
  /// The branch that it belongs to.
  public let branch: Int
}

/// One conflict, as it is recorded in `sync`/`conflict`.
public struct SyncConflictRecord: Codable, Hashable, Sendable {
  /// The kind of the entity.
  public let kind: String
  /// The id of the entity.
  public let entity: String
  /// How the two sides met: a name of ``SyncConflict/Cause``.
  public let cause: String
  /// What became of it: `keepLocal`, `takeRemote` or `merge`.
  public let resolution: String
  /// The names of the members that it is about.
  public let members: String
  /// The branch that it belongs to.
  public let branch: Int
}

/// The end of a run, as it is recorded in `sync`/`run`.
public struct SyncRun: Codable, Hashable, Sendable {
  /// The number of the run.
  public let sequence: Int
  /// How it ended.
  public let status: SyncRunSummary.Status
  /// Mutations that the server took.
  public let pushed: Int
  /// Changes that were applied.
  public let pulled: Int
  /// Pushes that failed or were limited.
  public let failed: Int
  /// How long it took.
  public let durationMs: Double
  /// Why, unless it succeeded.
  public let error: String?
  /// Whether everything was fetched from the beginning.
  public let bootstrap: Bool
  /// The cursor at its end; 0 where it is a text.
  public let cursor: Int
  /// The cursor at its end, where it is a text.
  public let cursorText: String?
  /// Who asked for the run: a name of ``SyncTrigger``; `nil` in older records.
  public let trigger: String?
  /// The code of the failure: a name of ``SyncError/Code``.
  public let failure: String?
  /// The status of the answer that was the failure.
  public let httpStatus: Int?
  /// The branch that it belongs to.
  public let branch: Int
}
