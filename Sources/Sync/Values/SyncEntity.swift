/// The name of one entity: its kind and its id.
public struct EntityKey: Hashable, Sendable, Codable {
  /// The name of the kind.
  public let kind: String
  /// The id, made by the client and the same on both sides.
  public let id: String

  /// The entity `id` of `kind`.
  public init(kind: String, id: String) {
    self.kind = kind
    self.id = id
  }
}

/// One local row.
public struct SyncEntity: Hashable, Sendable, Codable {
  /// How a row stands to the server.
  public enum Status: String, Hashable, Sendable, Codable {
    /// Changed here and not yet acknowledged.
    case pending
    /// As the server has it.
    case synced
    /// Given up after the last attempt; its mutation is a dead letter.
    case failed
  }

  /// The kind and the id.
  public let key: EntityKey
  /// The members with their values.
  public var members: [String: SyncValue]
  /// How the row stands to the server.
  public var status: Status
  /// The id of the entity that this one is linked to, once that one is here.
  public var linkedTo: String?

  /// A row.
  public init(
    key: EntityKey, members: [String: SyncValue], status: Status = .synced, linkedTo: String? = nil
  ) {
    self.key = key
    self.members = members
    self.status = status
    self.linkedTo = linkedTo
  }
}
