/// Takes the JSON object of a struct value apart.
package enum StructFields {
  /// The value of a field that is no struct itself.
  package enum Value: Sendable, Equatable {
    case number(Double)
    case bool(Bool)
    case text(String)
    case null
  }

  /// How deep structs inside structs are followed.
  private static let depthLimit = 8

  /// Calls `body` for each field in the order of writing; the fields of inner structs are named `outer.inner`.
  ///
  /// Arrays are passed over, and so are numbers that no double holds.
  ///
  /// - Parameter object: The payload of a sample of the kind `object`.
  package static func forEach(in object: ArraySlice<UInt8>, _ body: (_ name: String, _ value: Value) -> Void)
  {
    object.withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      cursor.skipWhitespace()
      _ = walk(&cursor, prefix: "", depth: 0, body)
    }
  }

  private static func walk(
    _ cursor: inout JSONCursor, prefix: String, depth: Int, _ body: (String, Value) -> Void
  ) -> Bool {
    cursor.members(depth: depth) { cursor, key in
      let name = prefix + key.string(in: cursor.bytes)
      switch cursor.byte {
      case UInt8(ascii: "{") where depth < depthLimit:
        return walk(&cursor, prefix: name + ".", depth: depth + 1, body)
      case UInt8(ascii: "{"), UInt8(ascii: "["): return cursor.skipValue(depth: depth + 1)
      default:
        guard let scalar = scalar(&cursor) else { return false }
        if let value = scalar { body(name, value) }
        return true
      }
    }
  }

  /// The scalar under the cursor: `nil` if there is none, an empty optional for a number out of range.
  private static func scalar(_ cursor: inout JSONCursor) -> Value?? {
    switch cursor.byte {
    case UInt8(ascii: "t"): return cursor.literal("true") ? .some(.bool(true)) : nil
    case UInt8(ascii: "f"): return cursor.literal("false") ? .some(.bool(false)) : nil
    case UInt8(ascii: "n"): return cursor.literal("null") ? .some(.null) : nil
    case UInt8(ascii: "\""): return cursor.string().map { .text($0.string(in: cursor.bytes)) }
    default:
      guard let range = cursor.number() else { return nil }
      let number = Double(String(decoding: cursor.bytes[range], as: UTF8.self)) ?? .infinity
      return .some(number.isFinite ? .number(number) : nil)
    }
  }
}
