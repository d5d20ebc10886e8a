package import Essentials

/// The payload of a mutation as the members that it sets.
package enum MemberPayload {
  /// The members of a payload, or `nil` when it is not one JSON object.
  package static func members(of payload: Data) -> [String: SyncValue]? {
    do { return try JSONDecoder().decode([String: SyncValue].self, from: payload) } catch { return nil }
  }

  /// The payload of members, the same bytes for the same members; `nil` for a number that JSON cannot express.
  package static func payload(of members: [String: SyncValue]) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(members) } catch { return nil }
  }
}
