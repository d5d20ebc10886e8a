package import Essentials

/// Conversion between a mutation's payload and its members.
package enum MemberPayload {
  /// The members of a payload, or `nil` if it is not a JSON object.
  package static func members(of payload: Data) -> [String: SyncValue]? {
    do { return try JSONDecoder().decode([String: SyncValue].self, from: payload) } catch { return nil }
  }

  /// The payload of members, byte for byte the same for equal members; `nil` for a number that JSON cannot express.
  package static func payload(of members: [String: SyncValue]) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(members) } catch { return nil }
  }
}
