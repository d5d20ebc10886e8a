/// A JSON object whose members are looked up by name.
///
/// Meant for small objects that are read by the thousand: a lookup scans all members. Of duplicate names the first one
/// counts, as in Foundation's decoder.
package struct FlatObject {
  private var members: [(name: JSONText, value: JSONToken)] = []

  /// Parses all of the bytes; `nil` if they are not an object.
  ///
  /// - Parameter bytes: The JSON; must stay in place while this value is used.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    members.reserveCapacity(16)
    guard JSONToken.forEachMember(of: bytes, { members.append(($0, $1)) }) else { return nil }
  }

  /// The value of a member; `nil` if there is none.
  package subscript(_ name: String) -> JSONToken? {
    var name = name
    return name.withUTF8 { utf8 in members.first { $0.name.equals(utf8) }?.value }
  }
}
