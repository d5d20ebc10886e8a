public import Essentials

/// One local change that the server has to learn of.
///
/// The engine makes it. A store keeps it as it is, its encoded form included: that has more than can be read here.
public struct Mutation: Hashable, Sendable, Codable {
  /// The operation done to the entity.
  public enum Operation: String, Hashable, Sendable, Codable, CaseIterable {
    case create, update, delete
  }

  /// A time-ordered UUID.
  public let id: String
  /// The idempotency key: a random UUID that no retry of the same content changes.
  public let idempotencyKey: String
  /// The entity that was changed.
  public let entity: EntityKey
  /// The operation.
  public let operation: Operation
  /// The JSON object of the members that were set; of a delete, those of the server, in case the row has to come back.
  public package(set) var payload: Data
  /// When the change was made, by the wall clock.
  public let createdAt: Date
  /// Counted failures so far, at most ``SyncConfiguration/attempts``.
  public package(set) var attempts: Int
  /// The text of the last failure.
  public package(set) var lastError: String?
  /// When the last failure was counted, by the wall clock.
  public package(set) var lastAttempt: Date?
  /// True if a request with this payload may have reached the server.
  package var mayHaveBeenSent: Bool
  /// Before when it is not tried again, by the wall clock; `nil` for at once.
  public package(set) var notBefore: Date?
  /// True if the request was part of a batch that failed as a whole, and into how small batches it goes by now.
  package var batchLimit: Int?
  /// The version of the server's entity that a delete was made on; that of an update is its row's.
  package var baseVersion: String?
  /// When the members were last edited, by the wall clock: a later edit may have been folded into it.
  package var editedAt: Date
  /// The version of ``SyncPayloadFormat`` that the payload is written in.
  public package(set) var payloadVersion: Int

  /// A mutation.
  package init(
    id: String, idempotencyKey: String, entity: EntityKey, operation: Operation, payload: Data,
    createdAt: Date,
    attempts: Int = 0, lastError: String? = nil, lastAttempt: Date? = nil, mayHaveBeenSent: Bool = false,
    notBefore: Date? = nil, batchLimit: Int? = nil, baseVersion: String? = nil, editedAt: Date? = nil,
    payloadVersion: Int = 0
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
    self.baseVersion = baseVersion
    self.editedAt = editedAt ?? createdAt
    self.payloadVersion = payloadVersion
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
