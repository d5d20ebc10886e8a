/// Takes the JSON object of a struct value apart.
package enum StructFields {
  /// The value of a field that is no struct itself.
  package enum Value: Sendable, Equatable {
    case number(Double)
    case bool(Bool)
    case text(String)
    case null
  }

  /// The value of a field with all that its JSON says.
  package struct Scalar: Sendable, Equatable {
    package let kind: SampleKind
    /// The number, for the kinds that have one, else 0.
    package let number: Double
    /// The bytes behind the value, as ``SampleKind`` says of a sample's payload.
    package let payload: ArraySlice<UInt8>
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
      walk(bytes) { cursor, name in
        guard let scalar = scalar(&cursor) else { return false }
        if let value = scalar { body(name(), value) }
        return true
      }
    }
  }

  /// The same with the digits of whole numbers that no double holds exactly.
  package static func forEachScalar(
    in object: ArraySlice<UInt8>, _ body: (_ name: String, _ value: Scalar) -> Void
  ) {
    let object = Array(object)
    object.withUnsafeBytes { bytes in
      walk(bytes) { cursor, name in
        guard let value = ValueText.value(&cursor, object) else { return false }
        guard value.number.isFinite else { return true }
        body(name(), Scalar(kind: value.kind, number: value.number, payload: value.payload))
        return true
      }
    }
  }

  /// Stands at every scalar in turn; `leaf` passes over it, or says that there is none.
  private static func walk(
    _ object: UnsafeRawBufferPointer, _ leaf: (inout JSONCursor, _ name: () -> String) -> Bool
  ) {
    var cursor = JSONCursor(object)
    cursor.skipWhitespace()
    _ = walk(&cursor, prefix: "", depth: 0, leaf)
  }

  private static func walk(
    _ cursor: inout JSONCursor, prefix: String, depth: Int,
    _ leaf: (inout JSONCursor, _ name: () -> String) -> Bool
  ) -> Bool {
    cursor.members(depth: depth) { cursor, key in
      let bytes = cursor.bytes
      func name() -> String { prefix + key.string(in: bytes) }
      switch cursor.byte {
      case UInt8(ascii: "{") where depth < depthLimit:
        return walk(&cursor, prefix: name() + ".", depth: depth + 1, leaf)
      case UInt8(ascii: "{"), UInt8(ascii: "["): return cursor.skipValue(depth: depth + 1)
      default: return leaf(&cursor, name)
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
      let number = PlainNumber.double(UnsafeRawBufferPointer(rebasing: cursor.bytes[range])) ?? .infinity
      return .some(number.isFinite ? .number(number) : nil)
    }
  }
}
