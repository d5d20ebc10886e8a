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
  /// Whether the request was part of a batch that failed as a whole, and into how small batches it goes by now.
  public var batchLimit: Int?

  /// A mutation.
  public init(
    id: String, idempotencyKey: String, entity: EntityKey, operation: Operation, payload: Data,
    createdAt: Date,
    attempts: Int = 0, lastError: String? = nil, lastAttempt: Date? = nil, mayHaveBeenSent: Bool = false,
    batchLimit: Int? = nil
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
    self.batchLimit = batchLimit
  }
}
