/// One decision of the machine, as it is recorded in `sync`/`transition`.
package struct SyncTransition: Codable, Hashable, Sendable {
  /// The number of the decision.
  package let sequence: Int
  /// The name of the state before.
  package let from: String
  /// The name of the state after.
  package let to: String
  /// The name of the event.
  package let event: String
  /// True if the event was turned away.
  package let refused: Bool
  /// Why it was turned away, or what failed.
  package let reason: String?
  /// The engine's clock, in seconds since its start.
  package let engineTime: Double
  /// Mutations dealt with, while syncing.
  package let synced: Int?
  /// How many there were, while syncing.
  package let total: Int?
  /// How many mutations wait.
  package let pending: Int
  /// How long the breaker is open when the state is rateLimited, in seconds.
  package let retryAfter: Double?
  /// The text of the state error.
  package let message: String?
  /// True if a person at a simulation did it.
  package let byHand: Bool
  /// The branch that it belongs to; 0 is the main branch.
  package let branch: Int
  /// The row of the transition table that decided: ``SyncRule/number``; `nil` when none fits, and in older records.
  package let rule: String?
  /// The origin: a name of ``SyncOrigin``; `nil` in older records.
  package let origin: String?
  /// The run that it belongs to, or that ended with it.
  package let run: Int?
  /// The phase of the active run afterwards: a name of ``SyncStateMachine/ActiveRun/Phase``; `nil` when none is
  /// active.
  package let phase: String?
  /// The trigger of a run: a name of ``SyncTrigger``.
  package let trigger: String?
  /// The code of the failure: a name of ``SyncError/Code``.
  package let failure: String?
  /// The status of the answer that was the failure.
  package let httpStatus: Int?
  /// The trigger of the engine's next try by itself: a name of ``SyncTrigger``; `nil` when nothing does.
  package var nextTrigger: String?
  /// When that is, in seconds since 2001.
  package var nextTry: Double?
  /// Until when what the engine asks for by itself is refused, after a call without an answer; in seconds since 2001.
  package var floor: Double?
  /// True if there is a network, as far as the engine knows; `nil` in older records.
  package var online: Bool?
}

/// One change of one mutation, as it is recorded in `sync`/`mutation`.
package struct SyncMutation: Codable, Hashable, Sendable {
  /// The outcome of a mutation.
  package enum State: String, Codable, Hashable, Sendable, CaseIterable {
    case queued, sent, acknowledged, dead, cleared
  }

  /// The id of the mutation.
  package let id: String
  /// The kind of the entity.
  package let kind: String
  /// The name of the operation.
  package let operation: String
  /// The id of the entity.
  package let entity: String
  /// The length of the payload.
  package let bytes: Int
  /// Counted failures.
  package let attempts: Int
  /// The outcome.
  package let state: State
  /// The text of the last failure.
  package let lastError: String?
  /// When the change was made, in seconds since 2001.
  package let createdAt: Double
  /// Before when it is not tried again, in seconds since 2001.
  package var notBefore: Double?
  /// Whose create it waits for: the kind and the id, with a space between.
  package var waitsFor: String?
  /// True if the engine has made another change of it, because of what the server has; `nil` where it has not.
  package var rewritten: Bool?
  /// The branch that it belongs to.
  package let branch: Int
}

/// The breaker, as it is recorded in `sync`/`breaker` whenever it changed.
package struct SyncBreaker: Codable, Hashable, Sendable {
  /// `closed`, `open` or `halfOpen`.
  package let state: String
  /// 429 answers in a row.
  package let consecutive: Int
  /// At how many it trips.
  package let threshold: Int
  /// The multiplier of the next backoff.
  package let multiplier: Double
  /// The end of the backoff, in seconds since 2001.
  package let until: Double?
  /// How often a run was asked for while it was open.
  package let refusedCalls: Int
  /// True if a person at a simulation changed it.
  package let byHand: Bool
  /// The branch that it belongs to.
  package let branch: Int
}

/// One conflict, as it is recorded in `sync`/`conflict`.
package struct SyncConflictRecord: Codable, Hashable, Sendable {
  /// The kind of the entity.
  package let kind: String
  /// The id of the entity.
  package let entity: String
  /// How the two sides met: a name of ``SyncConflict/Cause``.
  package let cause: String
  /// The resolution: `keepLocal`, `takeRemote` or `merge`.
  package let resolution: String
  /// The names of the members that it is about.
  package let members: String
  /// The branch that it belongs to.
  package let branch: Int
}

/// The end of a run, as it is recorded in `sync`/`run`.
package struct SyncRun: Codable, Hashable, Sendable {
  /// The number of the run.
  package let sequence: Int
  /// How it ended.
  package let status: SyncRunSummary.Status
  /// Mutations that the server took.
  package let pushed: Int
  /// Changes that were applied.
  package let pulled: Int
  /// Pushes that failed or were limited.
  package let failed: Int
  /// How long it took.
  package let durationMs: Double
  /// Why, unless it succeeded.
  package let error: String?
  /// True if everything was fetched from the beginning.
  package let bootstrap: Bool
  /// The cursor at its end; 0 where it is a text.
  package let cursor: Int
  /// The cursor at its end, where it is a text.
  package let cursorText: String?
  /// The trigger of the run: a name of ``SyncTrigger``; `nil` in older records.
  package let trigger: String?
  /// The code of the failure: a name of ``SyncError/Code``.
  package let failure: String?
  /// The status of the answer that was the failure.
  package let httpStatus: Int?
  /// The branch that it belongs to.
  package let branch: Int
}
