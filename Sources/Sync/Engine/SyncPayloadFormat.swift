/// The format of the payloads in the queue, with the migration from older ones.
///
/// An app that renames a member raises the version. Payloads queued by older versions are migrated when the store is
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
  /// The current version; 0 for apps that never set one.
  package let version: Int
  private let migration: @Sendable ([String: SyncValue], Mutation) -> [String: SyncValue]?

  /// Creates a format; the default migration changes nothing.
  ///
  /// - Parameters:
  ///   - version: The current version; 0 for apps that never set one.
  ///   - migration: Migrates members of an older version to the current one; `nil` if that is impossible: the change
  ///     becomes a dead letter with its old payload.
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

  /// The mutation in the current format; `nil` if it cannot be migrated.
  func migrated(_ mutation: Mutation) -> Mutation? {
    var result = mutation
    result.payloadVersion = version
    // The payload of a delete is the row that it removes.
    guard mutation.operation != .delete || !mutation.payload.isEmpty else { return result }
    guard let members = MemberPayload.members(of: mutation.payload),
      let payload = migration(members, mutation).flatMap({ MemberPayload.payload(of: $0) })
    else { return nil }
    result.payload = payload
    return result
  }
}
