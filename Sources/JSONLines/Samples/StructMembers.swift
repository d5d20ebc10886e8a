/// Walks over the members of a JSON object without building anything, for those who read many objects of one kind.
///
/// Of duplicate names all come; in Foundation's decoder the first counts.
package enum StructMembers {
  /// A text as it is written between its quotes.
  package struct Text {
    private let text: JSONText
    private let bytes: UnsafeRawBufferPointer

    init(_ text: JSONText, in bytes: UnsafeRawBufferPointer) { (self.text, self.bytes) = (text, bytes) }

    /// Whether it is this ASCII word.
    @inline(__always)
    package func equals(_ word: StaticString) -> Bool { text.equals(word, in: bytes) }

    /// The text as Swift's.
    package var string: String { text.string(in: bytes) }

    /// Its bytes with escapes as they are written: whoever compares texts has two that are equal if these are.
    package var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[text.range]) }
  }

  /// What stands behind a name.
  package enum Value {
    case null
    case bool(Bool)
    /// The digits.
    case number(UnsafeRawBufferPointer)
    case text(Text)
    /// The JSON of the struct.
    case object(UnsafeRawBufferPointer)
    /// The JSON of the array.
    case array(UnsafeRawBufferPointer)

    /// A number that a double holds.
    package var number: Double? {
      guard case .number(let digits) = self, let number = PlainNumber.double(digits), number.isFinite else {
        return nil
      }
      return number
    }

    /// A number that is whole; beyond what an integer holds, the largest or the least one.
    package var integer: Int? {
      guard case .number(let digits) = self else { return nil }
      if let usual = FlatObject.integer(digits) { return usual }
      guard let number = PlainNumber.double(digits), number.isFinite, number.rounded() == number else {
        return nil
      }
      return Int(String(decoding: digits, as: UTF8.self)) ?? Int(exactly: number)
        ?? (number < 0 ? .min : .max)
    }
  }

  /// Calls `body` with each member in the order of writing.
  ///
  /// - Parameter object: The JSON of one object; the values that `body` gets lie in it.
  /// - Returns: Whether it is one.
  package static func forEach(
    in object: UnsafeRawBufferPointer, _ body: (_ name: Text, _ value: Value) -> Void
  ) -> Bool {
    var cursor = JSONCursor(object)
    cursor.skipWhitespace()
    let isObject = cursor.members { cursor, name in
      guard let value = value(&cursor) else { return false }
      body(Text(name, in: cursor.bytes), value)
      return true
    }
    cursor.skipWhitespace()
    return isObject && cursor.isAtEnd
  }

  /// Calls `body` with each element of an array in the order of writing.
  ///
  /// - Parameter array: The JSON of one array.
  /// - Returns: Whether it is one.
  package static func forEachElement(of array: UnsafeRawBufferPointer, _ body: (Value) -> Void) -> Bool {
    var cursor = JSONCursor(array)
    cursor.skipWhitespace()
    return cursor.elements { cursor in
      guard let value = value(&cursor) else { return false }
      body(value)
      return true
    }
  }

  private static func value(_ cursor: inout JSONCursor) -> Value? {
    let start = cursor.position
    switch cursor.byte {
    case UInt8(ascii: "t"): return cursor.literal("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return cursor.literal("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return cursor.literal("null") ? .null : nil
    case UInt8(ascii: "\""): return cursor.string().map { .text(Text($0, in: cursor.bytes)) }
    case UInt8(ascii: "{"):
      guard cursor.skipValue(depth: 1) else { return nil }
      return .object(UnsafeRawBufferPointer(rebasing: cursor.bytes[start..<cursor.position]))
    case UInt8(ascii: "["):
      guard cursor.skipValue(depth: 1) else { return nil }
      return .array(UnsafeRawBufferPointer(rebasing: cursor.bytes[start..<cursor.position]))
    default:
      return cursor.number().map { .number(UnsafeRawBufferPointer(rebasing: cursor.bytes[$0])) }
    }
  }
}
