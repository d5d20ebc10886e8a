public import Foundation

/// One local change that the server has to learn of.
public struct Mutation: Hashable, Sendable, Codable {
  /// What was done to the entity.
  public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
    case create, update, delete
  }

  /// A time-ordered UUID.
  public let id: String
  /// The idempotency key: a random UUID that no retry changes.
  public let idempotencyKey: String
  /// The entity that was changed.
  public let entity: EntityKey
  /// What was done.
  public let operation: Operation
  /// The JSON object of the members that were set; empty for a delete.
  public var payload: Data
  /// When the change was made, by the wall clock; the order of the queue.
  public let createdAt: Date
  /// Counted failures so far, at most ``SyncConfiguration/attempts``.
  public var attempts: Int
  /// The text of the last failure.
  public var lastError: String?
  /// When the last failure was counted, by the wall clock.
  public var lastAttempt: Date?
  /// Whether a request with this payload may have reached the server.
  public var mayHaveBeenSent: Bool
  /// Before when it is not tried again, by the wall clock; `nil` for at once.
  public var notBefore: Date?
  /// Whether the request was part of a batch that failed as a whole, and into how small batches it goes by now.
  public var batchLimit: Int?

  /// A mutation.
  public init(
    id: String, idempotencyKey: String, entity: EntityKey, operation: Operation, payload: Data,
    createdAt: Date,
    attempts: Int = 0, lastError: String? = nil, lastAttempt: Date? = nil, mayHaveBeenSent: Bool = false,
    notBefore: Date? = nil, batchLimit: Int? = nil
  ) {
    self.id = id
    self.idempotencyKey = idempotencyKey
    self.entity = entity
    self.operation = operation
    self.payload = payload
    self.createdAt = createdAt
    self.attempts = attempts
    self.lastError = lastError
    self.lastAttempt = lastAttempt
    self.mayHaveBeenSent = mayHaveBeenSent
    self.notBefore = notBefore
    self.batchLimit = batchLimit
  }

  /// How long it has to wait for its next attempt; `nil` when that is due.
  ///
  /// A wall clock that was put back before the last attempt says nothing of how long ago that was.
  func remainingDelay(at now: Date) -> Duration? {
    guard let notBefore, let lastAttempt, now >= lastAttempt else { return nil }
    let seconds = notBefore.timeIntervalSince(now)
    // The clock that wakes is not the one that is compared here; the last bit of a Date must not decide.
    return seconds > 0.001 ? .seconds(min(seconds, 86_400)) : nil
  }
}
