public import Essentials

/// The server, as the engine sees it: what an app implements over its own network client.
///
/// Every method throws ``SyncError`` for what went wrong; those of Foundation's
/// network and of cancellation are known; any other counts as ``SyncError/Code/other``. None of them
/// retries: only the engine does. All of them heed the cancellation of their task.
public protocol SyncBackend: Sendable {
  /// Makes one cheap authenticated read; an empty list is a good answer.
  func probe() async throws

  /// Sends changes of one kind and one operation together, each with its idempotency key.
  func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer

  /// Sends one change with its idempotency key.
  ///
  /// A change that was made on another version than the server's (``PushItem/baseVersion``) throws
  /// ``SyncError/Code/conflict`` with ``SyncError/current``.
  ///
  /// - Returns: The entity as the server has it now, with its version; `nil` where it does not say.
  func push(_ item: PushItem) async throws -> RemoteEntity?

  /// The changes after `cursor`, at most `limit`.
  func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage

  /// The server's newest cursor.
  func latestCursor() async throws -> SyncCursor

  /// One page of all entities of a kind, inactive ones too.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - owner: The id of the entity whose own ones are wanted, for kinds with `fetchedPer`.
  ///   - page: The continuation of the page before, or `nil` for the first.
  ///   - limit: How many at most.
  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
    -> EntityPage
}

/// One change on its way to the server.
public struct PushItem: Hashable, Sendable {
  /// The idempotency key; the same for every try.
  public let idempotencyKey: String
  /// The entity to change.
  public let entity: EntityKey
  /// How it is changed.
  public let operation: Mutation.Operation
  /// The members that are set; empty for a delete.
  public let members: [String: SyncValue]
  /// The version that the change was made on: the server refuses an update or a delete where it has another one.
  ///
  /// `nil` for a create, and where the server never named one.
  public let baseVersion: String?

  /// An item.
  public init(
    idempotencyKey: String, entity: EntityKey, operation: Mutation.Operation, members: [String: SyncValue],
    baseVersion: String? = nil
  ) {
    self.idempotencyKey = idempotencyKey
    self.entity = entity
    self.operation = operation
    self.members = members
    self.baseVersion = baseVersion
  }
}

/// The server's answer to a batch: which changes it took, which it did not and why.
public struct BatchAnswer: Hashable, Sendable {
  /// An item that was not taken.
  public struct Failure: Hashable, Sendable {
    /// The item's place in the batch, from 0.
    public let position: Int
    /// The server's code, for instance `duplicate`.
    public let code: String
    /// The server's text.
    public let message: String
    /// The HTTP status that the item would have got by itself, if the server names one.
    public let status: Int?
    /// The server's current entity, of a conflict or a duplicate.
    public let current: RemoteEntity?

    /// A failed item.
    public init(
      position: Int, code: String, message: String, status: Int? = nil, current: RemoteEntity? = nil
    ) {
      self.position = position
      self.code = code
      self.message = message
      self.status = status
      self.current = current
    }
  }

  /// The server's current version of what it created or changed; an entity that it merged into another has that one's
  /// id.
  public let created: [RemoteEntity]
  /// The refused changes.
  public let failures: [Failure]
  /// The places of items that were taken and of which there is nothing more to say, as of deletes.
  public let taken: [Int]

  /// An answer.
  public init(created: [RemoteEntity] = [], failures: [Failure] = [], taken: [Int] = []) {
    self.created = created
    self.failures = failures
    self.taken = taken
  }
}

/// One entry of the server's change feed.
public struct RemoteChange: Hashable, Sendable, Codable {
  /// The changed entity; its kind need not be known here.
  public let entity: EntityKey
  /// How it changed.
  public let operation: Mutation.Operation
  /// Only the members that changed; an explicit null clears a member.
  public let members: [String: SyncValue]
  /// The version that the entity has with this change; `nil` where the server names none.
  public let version: String?
  /// When it changed, by the server's clock; `nil` where the server does not say.
  public let time: Date?

  /// A change.
  public init(
    entity: EntityKey, operation: Mutation.Operation, members: [String: SyncValue], version: String? = nil,
    time: Date? = nil
  ) {
    self.entity = entity
    self.operation = operation
    self.members = members
    self.version = version
    self.time = time
  }
}

/// A page of the change feed.
public struct ChangePage: Hashable, Sendable {
  /// The changes, oldest first.
  public let changes: [RemoteChange]
  /// Where the next page begins.
  public let cursor: SyncCursor
  /// True if there is a next page.
  public let hasMore: Bool

  /// A page.
  public init(changes: [RemoteChange], cursor: SyncCursor, hasMore: Bool) {
    self.changes = changes
    self.cursor = cursor
    self.hasMore = hasMore
  }
}

/// A page of entities during a bootstrap.
public struct EntityPage: Hashable, Sendable {
  /// The entities.
  public let entities: [RemoteEntity]
  /// The continuation, or `nil` when this was the last page.
  public let next: String?

  /// A page.
  public init(entities: [RemoteEntity], next: String? = nil) {
    self.entities = entities
    self.next = next
  }
}
