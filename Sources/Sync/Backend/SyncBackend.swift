public import Essentials

/// The server as the engine sees it; an app implements it over its own network client.
///
/// Every method throws ``SyncError``. Foundation's network errors and cancellation are recognized; any other error
/// counts as ``SyncError/Code/other``. Methods never retry (only the engine does), and all of them honor task
/// cancellation.
public protocol SyncBackend: Sendable {
  /// Makes one cheap authenticated read; an empty list counts as success.
  func probe() async throws

  /// Sends changes of one kind and one operation in one request, each with its idempotency key.
  func push(batch: [PushItem], of kind: EntityKind) async throws -> BatchAnswer

  /// Sends one change with its idempotency key.
  ///
  /// A change based on a version other than the server's (``PushItem/baseVersion``) throws ``SyncError/Code/conflict``
  /// with ``SyncError/current``.
  ///
  /// - Returns: The entity as the server now has it, with its version; `nil` if the server does not send it.
  func push(_ item: PushItem) async throws -> RemoteEntity?

  /// The changes after `cursor`, at most `limit`.
  func changes(since cursor: SyncCursor, limit: Int) async throws -> ChangePage

  /// The server's newest cursor.
  func latestCursor() async throws -> SyncCursor

  /// One page of all entities of a kind, inactive ones too.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - owner: The id of the owning entity, for kinds with `fetchedPer`.
  ///   - page: The continuation from the previous page, or `nil` for the first.
  ///   - limit: The maximum number of entities.
  func entities(of kind: EntityKind, ownedBy owner: String?, page: String?, limit: Int) async throws
    -> EntityPage
}

/// One change on its way to the server.
public struct PushItem: Hashable, Sendable {
  /// The idempotency key; the same for every attempt.
  public let idempotencyKey: String
  /// The entity to change.
  public let entity: EntityKey
  /// The operation.
  public let operation: Mutation.Operation
  /// The members to set; empty for a delete.
  public let members: [String: SyncValue]
  /// The version that the change is based on; the server refuses an update or a delete of any other version.
  ///
  /// `nil` for a create, and if the server has never sent a version.
  public let baseVersion: String?

  /// Creates an item.
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

/// The server's answer to a batch: accepted and rejected changes.
public struct BatchAnswer: Hashable, Sendable {
  /// A rejected item.
  public struct Failure: Hashable, Sendable {
    /// The item's index in the batch, from 0.
    public let position: Int
    /// The server's error code, for instance `duplicate`.
    public let code: String
    /// The server's error message.
    public let message: String
    /// The HTTP status that the item would have got in a request of its own, if the server sends one.
    public let status: Int?
    /// The server's current entity, for a conflict or a duplicate.
    public let current: RemoteEntity?

    /// Creates a failure.
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

  /// The server's current versions of created or changed entities; an entity merged into another one has the other's
  /// id.
  public let created: [RemoteEntity]
  /// The rejected changes.
  public let failures: [Failure]
  /// The indexes of accepted items without an entity to return, such as deletes.
  public let taken: [Int]

  /// Creates an answer.
  public init(created: [RemoteEntity] = [], failures: [Failure] = [], taken: [Int] = []) {
    self.created = created
    self.failures = failures
    self.taken = taken
  }
}

/// One entry of the server's change feed.
public struct RemoteChange: Hashable, Sendable, Codable {
  /// The changed entity; its kind may be unknown to this app.
  public let entity: EntityKey
  /// The operation.
  public let operation: Mutation.Operation
  /// The changed members only; an explicit null clears a member.
  public let members: [String: SyncValue]
  /// The entity's version after this change; `nil` if the server sends none.
  public let version: String?
  /// The time of the change by the server's clock; `nil` if the server does not send it.
  public let time: Date?
  /// The idempotency key of the push that made the change; `nil` if the server does not send it.
  ///
  /// It settles a pushed change whose answer was lost.
  public let idempotencyKey: String?

  /// Creates a change.
  public init(
    entity: EntityKey, operation: Mutation.Operation, members: [String: SyncValue], version: String? = nil,
    time: Date? = nil, idempotencyKey: String? = nil
  ) {
    self.entity = entity
    self.operation = operation
    self.members = members
    self.version = version
    self.time = time
    self.idempotencyKey = idempotencyKey
  }

  /// A copy without the idempotency key, which settles nothing once the change waits for its row.
  var unkeyed: RemoteChange {
    RemoteChange(entity: entity, operation: operation, members: members, version: version, time: time)
  }
}

/// A page of the change feed.
public struct ChangePage: Hashable, Sendable {
  /// The changes, oldest first.
  public let changes: [RemoteChange]
  /// The start of the next page.
  public let cursor: SyncCursor
  /// True if there is a next page.
  public let hasMore: Bool

  /// Creates a page.
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
  /// The continuation, or `nil` for the last page.
  public let next: String?

  /// Creates a page.
  public init(entities: [RemoteEntity], next: String? = nil) {
    self.entities = entities
    self.next = next
  }
}
