/// The initiator of a step.
public enum DeliveryInitiator: String, Codable, Hashable, Sendable, CaseIterable {
  /// A rule of the machine.
  case rule
  /// A deadline.
  case timer
  /// The app that links the client, or its operating system.
  case app
  /// A person in a simulation.
  case person
  /// The endpoint.
  case server
}

/// The context of a record, common to all of the bucket `delivery`.
package struct DeliveryStep: Hashable, Sendable {
  package var branch = 0
  /// The number of the step.
  package var step = 0
  /// The client's clock, in seconds since its start.
  package var engineTime = 0.0
  package var by = DeliveryInitiator.rule
  /// The name of the event that was handled.
  package var cause = ""

  package init() {}
}

/// The end of one attempt to post a batch, recorded in `delivery`/`batch`.
public struct DeliveryBatch: Codable, Hashable, Sendable {
  /// The number of the attempt.
  public let sequence: Int
  /// Number of events.
  public let size: Int
  /// 1, plus the number of consecutive retryable failures before it.
  public let attempt: Int
  /// The HTTP status of the answer.
  public let status: Int?
  /// The reason that there was no answer: a code of ``TransportFailure``, `notEncodable` or `stale`.
  public let error: String?
  /// The time from the call to its outcome, in milliseconds.
  public let latencyMs: Double
  /// The maximum batch size at the time.
  public let maxBatchSize: Int
  /// The pause that the endpoint requested, in seconds.
  public let retryAfter: Double?
  /// `memory` or `disk`.
  public let source: String
  /// The size of the body in bytes.
  public let bytes: Int
  /// The transport's message, or in debug mode the endpoint's; at most 2 KiB.
  public let detail: String?
  /// The message id of its first event.
  public let first: String
  /// The message id of its last event.
  public let last: String
  /// The branch of a simulation; 0 is the main branch, the only one of an app.
  public let branch: Int
  /// The number of the step.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator of the step.
  public let by: DeliveryInitiator
  /// The name of the event that was handled.
  public let cause: String
}

/// Waiting events and the next attempt, recorded in `delivery`/`queue` after each change.
public struct DeliveryQueue: Codable, Hashable, Sendable {
  /// Events in memory.
  public let memory: Int
  /// Their size in bytes.
  public let memoryBytes: Int
  /// Events on disk.
  public let disk: Int
  /// Events of the batch in flight.
  public let inFlight: Int
  /// The creation time of the oldest of these events, in seconds since 2001.
  public let oldestAt: Double?
  /// The time of the client's next automatic attempt if nothing happens before, in seconds since 2001.
  ///
  /// Absent while nothing waits, while a batch is in flight, offline, in the background, and while the client is
  /// disabled.
  public let nextAt: Double?
  /// The reason that it is not earlier: `timer`, `floor`, `retryAfter`, `breaker`, `debounce` or `atOnce`; absent
  /// together with ``nextAt``.
  public let nextCause: String?
  /// The branch of a simulation; 0 is the main branch, the only one of an app.
  public let branch: Int
  /// The number of the step.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator of the step.
  public let by: DeliveryInitiator
  /// The name of the event that was handled.
  public let cause: String
}

/// The circuit breaker, recorded in `delivery`/`breaker` after each change.
public struct DeliveryBreaker: Codable, Hashable, Sendable {
  /// `closed`, `open` or `halfOpen`.
  public let state: String
  /// Consecutive failures.
  public let failures: Int
  /// Consecutive trips.
  public let growth: Int
  /// The end of the cooldown, in seconds since 2001.
  public let until: Double?
  /// The branch of a simulation; 0 is the main branch, the only one of an app.
  public let branch: Int
  /// The number of the step.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator of the step.
  public let by: DeliveryInitiator
  /// The name of the event that was handled.
  public let cause: String
}

/// A change of the client's lifecycle or environment, recorded in `delivery`/`lifecycle`.
public struct DeliveryLifecycle: Codable, Hashable, Sendable {
  /// The state before.
  public let from: String
  /// The state after.
  public let to: String
  /// The name of the event.
  public let event: String
  /// True if it was refused.
  public let refused: Bool
  /// `online`, `offline` or `returning`.
  public let network: String
  /// The debug information as JSON, with the write key masked.
  public let debug: String
  /// The branch of a simulation; 0 is the main branch, the only one of an app.
  public let branch: Int
  /// The number of the step.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator of the step.
  public let by: DeliveryInitiator
  /// The name of the event that was handled.
  public let cause: String
}

/// Dropped events, recorded in `delivery`/`drop`.
public struct DeliveryDrop: Codable, Hashable, Sendable {
  /// The cause: a ``DropCause``.
  public let cause: String
  /// Number of events.
  public let count: Int
  /// The status by which the endpoint refused them.
  public let status: Int?
  /// The beginning of its answer (untrusted), at most 2 KiB.
  public let answer: String?
  /// Number of events set aside after it; `nil` if these were not.
  public let setAside: Int?
  /// The branch of a simulation; 0 is the main branch, the only one of an app.
  public let branch: Int
  /// The number of the step.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator of the step.
  public let by: DeliveryInitiator
}

/// An action of the app or a person, recorded in `delivery`/`act`.
public struct DeliveryAct: Codable, Hashable, Sendable {
  /// The name of the call.
  public let act: String
  /// The subject of the action; never an id, a trait or a property.
  public let argument: String?
  /// The reason for its refusal.
  public let refused: String?
  /// The branch of a simulation; 0 is the main branch, the only one of an app.
  public let branch: Int
  /// The number of the step.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator of the step.
  public let by: DeliveryInitiator

  package init(
    act: String, argument: String?, refused: String?, branch: Int, step: Int, engineTime: Double,
    by initiator: DeliveryInitiator
  ) {
    (self.act, self.argument, self.refused, self.branch) = (act, argument, refused, branch)
    (self.step, self.engineTime, by) = (step, engineTime, initiator)
  }
}
