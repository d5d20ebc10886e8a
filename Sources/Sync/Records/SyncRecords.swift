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
  /// The cursor at its end.
  public let cursor: Int
  /// The branch that it belongs to.
  public let branch: Int
}

/// A fault of a simulation that was set, as it is recorded in `sync`/`fault`.
public struct SyncFault: Codable, Hashable, Sendable {
  /// The name of the fault.
  public let fault: String
  /// How much of it, in its unit.
  public let amount: Double
  /// The unit of the amount.
  public let unit: String
  /// How likely it is to strike, from 0 to 1.
  public let probability: Double
  /// Which calls it strikes.
  public let scope: String
  /// Whether it is on.
  public let on: Bool
  /// Whether a person set it.
  public let byHand: Bool
  /// The branch that it belongs to.
  public let branch: Int
}

/// A simulation whenever something about it changed, as it is recorded in `sync`/`simulation`.
public struct SyncSimulation: Codable, Hashable, Sendable {
  /// The name of the scenario.
  public let scenario: String?
  /// The seed of all chance.
  public let seed: Int
  /// How many steps were taken.
  public let step: Int
  /// The branch; 0 is the main branch.
  public let branch: Int
  /// The branch that it left.
  public let parent: Int?
  /// How fast its time goes; 1 is as fast as ours.
  public let speed: Double
  /// Whether it runs on by itself.
  public let running: Bool
  /// What comes next.
  public let next: String?
  /// When that comes, in seconds since 2001.
  public let nextAt: Double?
}
