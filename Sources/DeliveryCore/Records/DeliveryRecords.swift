/// The initiator of something that happened.
public enum DeliveryInitiator: String, Codable, Hashable, Sendable, CaseIterable {
  /// A rule of the machine.
  case rule
  /// A deadline.
  case timer
  /// The app that links the client, or its system.
  case app
  /// A person at a simulation.
  case person
  /// The endpoint.
  case server
}

/// The place of a record in the story: what all of the bucket `delivery` have in common.
package struct DeliveryStep: Hashable, Sendable {
  package var branch = 0
  /// The number of the handled event.
  package var step = 0
  /// The client's clock, in seconds since its start.
  package var engineTime = 0.0
  package var by = DeliveryInitiator.rule
  /// The name of the handled event.
  package var cause = ""

  package init() {}
}

/// The end of one attempt to post a batch, as it is recorded in `delivery`/`batch`.
public struct DeliveryBatch: Codable, Hashable, Sendable {
  /// The number of the attempt.
  public let sequence: Int
  /// Events in it.
  public let size: Int
  /// 1, and one more for each retryable failure in a row before it.
  public let attempt: Int
  /// The status of the answer.
  public let status: Int?
  /// Why there was none: a code of ``TransportFailure``, `notEncodable` or `stale`.
  public let error: String?
  /// From the call to its outcome, in milliseconds.
  public let latencyMs: Double
  /// The most events that a batch could have.
  public let maxBatchSize: Int
  /// The pause the endpoint asked for, in seconds.
  public let retryAfter: Double?
  /// `memory` or `disk`.
  public let source: String
  /// The size of the body.
  public let bytes: Int
  /// The words of the transport, or while debugging those of the endpoint, at most 2 KiB.
  public let detail: String?
  /// The message id of its first event.
  public let first: String
  /// The message id of its last event.
  public let last: String
  /// The branch of a simulation; 0 is the main one, and the only one of an app.
  public let branch: Int
  /// The number of the handled event.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator that caused it.
  public let by: DeliveryInitiator
  /// The name of the handled event.
  public let cause: String
}

/// Waiting events and when they go out, as recorded in `delivery`/`queue` whenever any of it changed.
public struct DeliveryQueue: Codable, Hashable, Sendable {
  /// Events in memory.
  public let memory: Int
  /// Their bytes.
  public let memoryBytes: Int
  /// Events on disk.
  public let disk: Int
  /// Events of the batch in flight.
  public let inFlight: Int
  /// When the oldest of all these events was made, in seconds since 2001.
  public let oldestAt: Double?
  /// When the client sends next by itself, in seconds since 2001, if nothing happens before.
  ///
  /// There is no such time while nothing waits, while a batch is in flight, without a network, in the background, and while
  /// the client is disabled.
  public let nextAt: Double?
  /// Why not earlier: `timer`, `floor`, `retryAfter`, `breaker`, `debounce` or `atOnce`; absent together with ``nextAt``.
  public let nextCause: String?
  /// The branch of a simulation; 0 is the main one, and the only one of an app.
  public let branch: Int
  /// The number of the handled event.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator that caused it.
  public let by: DeliveryInitiator
  /// The name of the handled event.
  public let cause: String
}

/// The circuit breaker, as it is recorded in `delivery`/`breaker` whenever it changed.
public struct DeliveryBreaker: Codable, Hashable, Sendable {
  /// `closed`, `open` or `halfOpen`.
  public let state: String
  /// Failures in a row.
  public let failures: Int
  /// Trips in a row.
  public let growth: Int
  /// The end of the cooldown, in seconds since 2001.
  public let until: Double?
  /// The branch of a simulation; 0 is the main one, and the only one of an app.
  public let branch: Int
  /// The number of the handled event.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator that caused it.
  public let by: DeliveryInitiator
  /// The name of the handled event.
  public let cause: String
}

/// A change of the client's life or of its surroundings, as it is recorded in `delivery`/`lifecycle`.
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
  /// The debug information as JSON, the write key masked.
  public let debug: String
  /// The branch of a simulation; 0 is the main one, and the only one of an app.
  public let branch: Int
  /// The number of the handled event.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator that caused it.
  public let by: DeliveryInitiator
  /// The name of the handled event.
  public let cause: String
}

/// Events that were abandoned, as they are recorded in `delivery`/`drop`.
public struct DeliveryDrop: Codable, Hashable, Sendable {
  /// Why: a ``DropCause``.
  public let cause: String
  /// How many.
  public let count: Int
  /// The branch of a simulation; 0 is the main one, and the only one of an app.
  public let branch: Int
  /// The number of the handled event.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator that caused it.
  public let by: DeliveryInitiator
}

/// An action of the app or a person, as it is recorded in `delivery`/`act`.
public struct DeliveryAct: Codable, Hashable, Sendable {
  /// The name of the call.
  public let act: String
  /// The subject of the act; never an id, a trait or a property.
  public let argument: String?
  /// Why it was refused.
  public let refused: String?
  /// The branch of a simulation; 0 is the main one, and the only one of an app.
  public let branch: Int
  /// The number of the handled event.
  public let step: Int
  /// The client's clock, in seconds.
  public let engineTime: Double
  /// The initiator that caused it.
  public let by: DeliveryInitiator

  package init(
    act: String, argument: String?, refused: String?, branch: Int, step: Int, engineTime: Double,
    by initiator: DeliveryInitiator
  ) {
    (self.act, self.argument, self.refused, self.branch) = (act, argument, refused, branch)
    (self.step, self.engineTime, by) = (step, engineTime, initiator)
  }
}
