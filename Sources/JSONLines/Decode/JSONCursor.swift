/// A reader that walks over JSON bytes without building anything (RFC 8259, to the letter).
///
/// Each method begins where the cursor stands, leaves it behind what it read, and answers `false` or `nil` where the
/// bytes are no JSON. It never reads past the end and never nests deeper than `depthLimit`.
struct JSONCursor {
  /// How deep arrays and objects may nest, as in Foundation's decoder.
  static let depthLimit = 512

  let bytes: UnsafeRawBufferPointer
  var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The byte under the cursor, 0 behind the end.
  @inline(__always)
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  mutating func skipWhitespace() {
    while position < bytes.count, case let byte = bytes[position],
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    {
      position &+= 1
    }
  }

  /// Takes one byte if it is there.
  @inline(__always)
  mutating func take(_ expected: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == expected else { return false }
    position &+= 1
    return true
  }

  /// Skips one value of any kind with the white space before it.
  mutating func skipValue(depth: Int = 0) -> Bool {
    skipWhitespace()
    switch byte {
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "{"): return skipObject(depth: depth)
    case UInt8(ascii: "["): return skipArray(depth: depth)
    case UInt8(ascii: "t"): return literal("true")
    case UInt8(ascii: "f"): return literal("false")
    case UInt8(ascii: "n"): return literal("null")
    default: return number() != nil
    }
  }

  private mutating func skipArray(depth: Int) -> Bool {
    elements(depth: depth) { cursor in cursor.skipValue(depth: depth + 1) }
  }

  private mutating func skipObject(depth: Int) -> Bool {
    members(depth: depth) { cursor, _ in cursor.skipValue(depth: depth + 1) }
  }

  /// Walks over an array; `body` is called with the cursor before each element and must read it.
  mutating func elements(depth: Int = 0, _ body: (_ cursor: inout JSONCursor) -> Bool) -> Bool {
    guard depth < Self.depthLimit, take(UInt8(ascii: "[")) else { return false }
    skipWhitespace()
    if take(UInt8(ascii: "]")) { return true }
    while true {
      skipWhitespace()
      guard body(&self) else { return false }
      skipWhitespace()
      if take(UInt8(ascii: "]")) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  /// Walks over an object; `body` is called with the cursor before each member's value and must read it.
  mutating func members(
    depth: Int = 0, _ body: (_ cursor: inout JSONCursor, _ name: JSONText) -> Bool
  ) -> Bool {
    guard depth < Self.depthLimit, take(UInt8(ascii: "{")) else { return false }
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return true }
    while true {
      skipWhitespace()
      guard let name = string() else { return false }
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { return false }
      skipWhitespace()
      guard body(&self, name) else { return false }
      skipWhitespace()
      if take(UInt8(ascii: "}")) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  /// Takes one of the words `true`, `false` and `null`.
  mutating func literal(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  /// Reads a number and returns where it lies.
  mutating func number() -> Range<Int>? {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) {
      guard digits() else { return nil }
    }
    if take(UInt8(ascii: ".")) {
      guard digits() else { return nil }
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits() else { return nil }
    }
    return start..<position
  }

  @inline(__always)
  private mutating func digits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
    return position > start
  }

  /// Reads a string and returns what lies between its quotes.
  mutating func string() -> JSONText? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    var hasEscapes = false
    var isASCII = true
    while position < bytes.count {
      skipPlainText()
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = JSONText(range: start..<position, hasEscapes: hasEscapes)
        position &+= 1
        guard isASCII || text.isUTF8(in: bytes), !hasEscapes || text.hasValidEscapes(in: bytes) else {
          return nil
        }
        return text
      }
      guard byte >= 0x20 else { return nil }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position &+= 1
        guard position < bytes.count else { return nil }
      }
      isASCII = isASCII && byte < 0x80
      position &+= 1
    }
    return nil
  }

  /// Moves over ASCII that is neither quote nor backslash nor control character, as far as there are eight bytes to look at.
  @inline(__always)
  private mutating func skipPlainText() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones &* 0x80
    while position &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      // Top bits mark bytes that are zero after the exclusive or, below 0x20, or beyond ASCII.
      let quote = word ^ ones &* 0x22
      let backslash = word ^ ones &* 0x5C
      let special =
        ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | (word &- ones &* 0x20) | word
      guard special & highs == 0 else {
        // A borrow marks bytes behind the first special one alone.
        position &+= (special & highs).trailingZeroBitCount / 8
        return
      }
      position &+= 8
    }
  }
}
