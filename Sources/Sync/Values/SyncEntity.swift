/// The name of one entity: its kind and its id.
///
/// Two keys are equal when their bytes are: servers tell ids apart that Swift's `String` calls equal, as "é" written as
/// one scalar and as two.
public struct EntityKey: Sendable, Codable {
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

extension EntityKey: Hashable {
  /// True if the bytes of both parts are the same.
  public static func == (left: EntityKey, right: EntityKey) -> Bool {
    left.id.utf8.elementsEqual(right.id.utf8) && left.kind.utf8.elementsEqual(right.kind.utf8)
  }

  /// Takes in the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytesOf: id)
    hasher.combine(bytesOf: kind)
  }
}

extension Hasher {
  /// Takes in a text as its bytes, which tell more apart than the text itself does.
  mutating func combine(bytesOf text: String) {
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(UInt8(0xFF))
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
    /// Given up: its mutation is a dead letter, or was cleared.
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
  /// Known facts about the server's entity beneath local changes.
  public var basis: ServerBasis

  /// A row.
  public init(
    key: EntityKey, members: [String: SyncValue], status: Status = .synced, linkedTo: String? = nil,
    basis: ServerBasis = ServerBasis()
  ) {
    self.key = key
    self.members = members
    self.status = status
    self.linkedTo = linkedTo
    self.basis = basis
  }
}
