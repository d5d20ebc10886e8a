/// An entity as the server has it.
public struct RemoteEntity: Hashable, Sendable, Codable {
  /// The id.
  public let id: String
  /// The members.
  public let members: [String: SyncValue]
  /// The version, an etag or a number: opaque; `nil` where the server names none.
  public let version: String?

  /// An entity of the server.
  public init(id: String, members: [String: SyncValue], version: String? = nil) {
    self.id = id
    self.members = members
    self.version = version
  }
}
