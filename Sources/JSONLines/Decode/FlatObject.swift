/// A JSON object whose members are looked up by name and read one at a time, without building anything for the others.
///
/// It is made for small objects that are read by the thousand: a lookup walks over all members. Of duplicate names the
/// first counts, as in Foundation's decoder.
package struct FlatObject {
  /// What stands behind a name.
  private enum Value {
    case null
    case bool(Bool)
    case number(Range<Int>)
    case text(JSONText)
    /// An object or an array.
    case nested
  }

  private let bytes: UnsafeRawBufferPointer
  private var members: [(name: JSONText, value: Value)] = []

  /// Walks over the bytes once; `nil` for whatever is no object.
  ///
  /// - Parameter bytes: The JSON; must stay where it is as long as this value is used.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    members.reserveCapacity(16)
    var cursor = JSONCursor(bytes)
    cursor.skipWhitespace()
    let isObject = cursor.members { cursor, name in
      guard let value = Self.value(&cursor) else { return false }
      members.append((name, value))
      return true
    }
    cursor.skipWhitespace()
    guard isObject, cursor.isAtEnd else { return nil }
  }

  private static func value(_ cursor: inout JSONCursor) -> Value? {
    switch cursor.byte {
    case UInt8(ascii: "t"): cursor.literal("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): cursor.literal("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): cursor.literal("null") ? .null : nil
    case UInt8(ascii: "\""): cursor.string().map(Value.text)
    case UInt8(ascii: "{"), UInt8(ascii: "["): cursor.skipValue(depth: 1) ? .nested : nil
    default: cursor.number().map(Value.number)
    }
  }

  /// The place of a member, `nil` where there is none.
  package func place(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { wanted in
      members.firstIndex { member in
        guard !member.name.hasEscapes else { return member.name.unescaped(in: bytes).elementsEqual(wanted) }
        let range = member.name.range
        guard range.count == wanted.count else { return false }
        for index in 0..<wanted.count where bytes[range.lowerBound &+ index] != wanted[index] { return false }
        return true
      }
    }
  }

  /// Whether a member is `null`.
  package func isNull(at place: Int) -> Bool {
    if case .null = members[place].value { true } else { false }
  }

  package func bool(at place: Int) -> Bool? {
    if case .bool(let value) = members[place].value { value } else { nil }
  }

  package func text(at place: Int) -> String? {
    if case .text(let text) = members[place].value { text.string(in: bytes) } else { nil }
  }

  /// A number that a double holds.
  package func number(at place: Int) -> Double? {
    guard case .number(let range) = members[place].value,
      let number = PlainNumber.double(UnsafeRawBufferPointer(rebasing: bytes[range])), number.isFinite
    else { return nil }
    return number
  }

  /// A whole number that is written as one, with at most eighteen digits.
  package func integer(at place: Int) -> Int? {
    guard case .number(let range) = members[place].value else { return nil }
    return Self.integer(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// The whole number that some digits spell, at most eighteen of them; `nil` for whatever else.
  package static func integer(_ text: UnsafeRawBufferPointer) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative ? 1 : 0)
    guard !digits.isEmpty, digits.count <= 18, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      return nil
    }
    var value = 0
    for digit in digits {
      guard case let number = Int(digit) - 48, 0...9 ~= number else { return nil }
      value = value &* 10 &+ number
    }
    return isNegative ? -value : value
  }
}
