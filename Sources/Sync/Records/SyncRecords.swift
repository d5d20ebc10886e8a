/// A record that tells the engine's next run of its own; older ones do not.
package protocol NextRunRecord {
  /// The trigger of the run: a name of ``SyncTrigger``; `nil` if none is scheduled.
  var nextTrigger: String? { get set }
  /// The time of the run, in seconds since 2001.
  var nextTry: Double? { get set }
  /// The reason for that: a name of ``NextRun/Cause``.
  var nextCause: String? { get set }
}

extension NextRunRecord {
  mutating func tell(_ next: NextRun, at now: Duration, recordTime: Double) {
    (nextTrigger, nextCause) = (next.trigger?.rawValue, next.cause.rawValue)
    nextTry = next.at.map { recordTime + ($0 - now) / .seconds(1) }
  }
}

/// One decision of the machine, recorded in `sync`/`transition`.
package struct SyncTransition: Codable, Hashable, Sendable, NextRunRecord {
  /// The number of the decision.
  package let sequence: Int
  /// The name of the state before.
  package let from: String
  /// The name of the state after.
  package let to: String
  /// The name of the event.
  package let event: String
  /// True if the event was refused.
  package let refused: Bool
  /// The reason for a refusal, or the failure.
  package let reason: String?
  /// The engine's clock, in seconds since its start.
  package let engineTime: Double
  /// Handled mutations, in the state syncing.
  package let synced: Int?
  /// All mutations of the push, in the state syncing.
  package let total: Int?
  /// Pending mutations.
  package let pending: Int
  /// The remaining backoff in the state rateLimited, in seconds.
  package let retryAfter: Double?
  /// The message of the state error.
  package let message: String?
  /// True if a person did it in a simulation.
  package let byHand: Bool
  /// The branch; 0 is the main branch.
  package let branch: Int
  /// The number of the row that decided (``SyncRule/number``); `nil` if none matches, and in older records.
  package let rule: String?
  /// The origin: a name of ``SyncOrigin``; `nil` in older records.
  package let origin: String?
  /// The run that the decision belongs to or ended.
  package let run: Int?
  /// The phase of the active run afterwards: a name of ``SyncStateMachine/ActiveRun/Phase``; `nil` without an active
  /// run.
  package let phase: String?
  /// The trigger of a run: a name of ``SyncTrigger``.
  package let trigger: String?
  /// The code of the failure: a name of ``SyncError/Code``.
  package let failure: String?
  /// The HTTP status of the failure.
  package let httpStatus: Int?
  package var nextTrigger: String?
  package var nextTry: Double?
  package var nextCause: String?
  /// The end of the wait after a call without an answer, during which the engine's own runs are refused; in seconds
  /// since 2001.
  package var floor: Double?
  /// The time of the timer for changes that were left out and for calls without an answer, even if a rule stands
  /// against its run; in seconds since 2001.
  package var wake: Double?
  /// The end of the server's Retry-After, until which all runs are refused; in seconds since 2001.
  package var limit: Double?
  /// True if there is a network, as far as the engine knows; `nil` in older records.
  package var online: Bool?
}

/// One change of a mutation, recorded in `sync`/`mutation`; during a run it does not tell the next one.
package struct SyncMutation: Codable, Hashable, Sendable, NextRunRecord {
  /// The state of a mutation.
  package enum State: String, Codable, Hashable, Sendable, CaseIterable {
    case queued, sent, acknowledged, dead
    /// Removed by the app, by a delete or by a conflict.
    case cleared
    /// A dead letter whose members newer edits set.
    case superseded
    /// Erased with everything else, as for another account.
    case erased
  }

  /// The id of the mutation.
  package let id: String
  /// The kind of the entity.
  package let kind: String
  /// The name of the operation.
  package let operation: String
  /// The id of the entity.
  package let entity: String
  /// The length of the payload, in bytes.
  package let bytes: Int
  /// Counted failures.
  package let attempts: Int
  /// The new state.
  package let state: State
  /// The text of the last failure.
  package let lastError: String?
  /// The time of the change, in seconds since 2001.
  package let createdAt: Double
  /// The earliest time of the next attempt, in seconds since 2001; `nil` if it is due.
  package var notBefore: Double?
  /// The entity whose create it waits for: kind and id, separated by a space.
  package var waitsFor: String?
  /// True if the engine has rewritten it because of the server's state; `nil` otherwise.
  package var rewritten: Bool?
  package var nextTrigger: String?
  package var nextTry: Double?
  package var nextCause: String?
  /// The branch; 0 is the main branch.
  package let branch: Int
}

/// The breaker, recorded in `sync`/`breaker` after each change.
package struct SyncBreaker: Codable, Hashable, Sendable {
  /// `closed`, `open` or `halfOpen`.
  package let state: String
  /// Consecutive 429 answers.
  package let consecutive: Int
  /// The number of consecutive 429 answers that trips it.
  package let threshold: Int
  /// The multiplier of the next backoff.
  package let multiplier: Double
  /// The end of the backoff, in seconds since 2001.
  package let until: Double?
  /// Requests refused because it was open.
  package let refusedCalls: Int
  /// True if a person changed it in a simulation.
  package let byHand: Bool
  /// The branch; 0 is the main branch.
  package let branch: Int
}

/// The loss of the network, recorded in `sync`/`network`.
package struct SyncNetwork: Codable, Hashable, Sendable {
  /// True if there is a network.
  package let online: Bool
  /// The branch; 0 is the main branch.
  package let branch: Int
}

/// One conflict, recorded in `sync`/`conflict`.
package struct SyncConflictRecord: Codable, Hashable, Sendable {
  /// The kind of the entity.
  package let kind: String
  /// The id of the entity.
  package let entity: String
  /// The cause: a name of ``SyncConflict/Cause``.
  package let cause: String
  /// The resolution: `keepLocal`, `takeRemote` or `merge`.
  package let resolution: String
  /// The names of the members in conflict.
  package let members: String
  /// The branch; 0 is the main branch.
  package let branch: Int
}

/// The end of a run, recorded in `sync`/`run`.
package struct SyncRun: Codable, Hashable, Sendable {
  /// The number of the run.
  package let sequence: Int
  /// The status at its end.
  package let status: SyncRunSummary.Status
  /// Mutations that the server accepted.
  package let pushed: Int
  /// Changes applied.
  package let pulled: Int
  /// Pushes that failed or were rate-limited.
  package let failed: Int
  /// The duration of the run, in milliseconds.
  package let durationMs: Double
  /// The failure as text, unless it succeeded.
  package let error: String?
  /// True if everything was fetched from the beginning.
  package let bootstrap: Bool
  /// The cursor at its end; 0 if it is a string.
  package let cursor: Int
  /// The cursor at its end, if it is a string.
  package let cursorText: String?
  /// The trigger of the run: a name of ``SyncTrigger``; `nil` in older records.
  package let trigger: String?
  /// The code of the failure: a name of ``SyncError/Code``.
  package let failure: String?
  /// The HTTP status of the failure.
  package let httpStatus: Int?
  /// The branch; 0 is the main branch.
  package let branch: Int
}
