/// The format of the payloads that wait in the queue, and the way from older ones to it.
///
/// An app that renames a member raises the version; what an older version of it has queued is rewritten when the store is
/// opened, before anything is sent.
///
/// ```swift
/// environment.payloads = SyncPayloadFormat(version: 2) { members, mutation in
///   var members = members
///   if mutation.payloadVersion < 2 { members["title"] = members.removeValue(forKey: "name") }
///   return members
/// }
/// ```
public struct SyncPayloadFormat: Sendable {
  /// The current version; 0 is that of apps that never said one.
  package let version: Int
  private let migration: @Sendable ([String: SyncValue], Mutation) -> [String: SyncValue]?

  /// A format; by default nothing is to be changed.
  ///
  /// - Parameters:
  ///   - version: The current version; 0 is that of apps that never said one.
  ///   - migration: Brings members of an older version to the current one; `nil` where that cannot be done: the change
  ///     becomes a dead letter, with its old payload.
  public init(
    version: Int = 0,
    migration:
      @escaping @Sendable (_ members: [String: SyncValue], _ mutation: Mutation) -> [String: SyncValue]? = {
        members, _ in members
      }
  ) {
    self.version = max(0, version)
    self.migration = migration
  }

  /// The mutation in the current format.
  func migrated(_ mutation: Mutation) -> Mutation? {
    var result = mutation
    result.payloadVersion = version
    // A delete keeps the row that it removes.
    guard mutation.operation != .delete || !mutation.payload.isEmpty else { return result }
    guard let members = MemberPayload.members(of: mutation.payload),
      let payload = migration(members, mutation).flatMap({ MemberPayload.payload(of: $0) })
    else { return nil }
    result.payload = payload
    return result
  }
}
