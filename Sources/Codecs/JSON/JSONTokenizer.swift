/// Scans JSON bytes (RFC 8259, strictly) without building values.
///
/// Each method starts at `position`, moves it past what was read, and returns `false` or `nil` if the bytes are not
/// valid JSON; `error` then has the reason and the offset. Nothing is read past the end or nested deeper than
/// `nestingLimit`.
package struct JSONTokenizer {
  /// Maximum nesting of arrays and objects, as in Foundation's decoder.
  package static let nestingLimit = 512

  package let bytes: UnsafeRawBufferPointer
  package var position: Int
  /// The first syntax error, if any.
  package private(set) var error: JSONSyntaxError?

  private let repairsText: Bool
  private var depth = 0

  /// - Parameters:
  ///   - bytes: The JSON; must stay in place while the tokenizer and its tokens are used.
  ///   - position: The offset at which to start.
  ///   - repairsText: True to replace invalid UTF-8 and unpaired surrogates by U+FFFD instead of failing.
  package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0, repairsText: Bool = false) {
    self.bytes = bytes
    self.position = position
    self.repairsText = repairsText
  }

  package var isAtEnd: Bool { position >= bytes.count }

  /// The byte at `position`; 0 at the end.
  @inline(__always)
  package var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  package mutating func skipWhitespace() {
    while position < bytes.count, case let byte = bytes[position],
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    {
      position &+= 1
    }
  }

  /// True if only white space remains.
  package mutating func finishes() -> Bool {
    skipWhitespace()
    return isAtEnd
  }

  /// Reads the next value; objects and arrays are only located.
  package mutating func token() -> JSONToken? {
    skipWhitespace()
    let start = position
    switch byte {
    case UInt8(ascii: "\""): return string().map(JSONToken.text)
    case UInt8(ascii: "{"): return skipValue() ? .object(written(from: start)) : nil
    case UInt8(ascii: "["): return skipValue() ? .array(written(from: start)) : nil
    case UInt8(ascii: "t"): return literal("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return literal("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return literal("null") ? .null : nil
    default: return number().map(JSONToken.number)
    }
  }

  /// Skips the next value of any kind.
  package mutating func skipValue() -> Bool {
    skipWhitespace()
    switch byte {
    case UInt8(ascii: "\""): return string() != nil
    case UInt8(ascii: "{"): return members { tokenizer, _ in tokenizer.skipValue() }
    case UInt8(ascii: "["): return elements { tokenizer in tokenizer.skipValue() }
    case UInt8(ascii: "t"): return literal("true")
    case UInt8(ascii: "f"): return literal("false")
    case UInt8(ascii: "n"): return literal("null")
    default: return number() != nil
    }
  }

  /// Reads an object; `body` is called before each member's value and must read it.
  package mutating func members(_ body: (_ tokenizer: inout JSONTokenizer, _ name: JSONText) -> Bool) -> Bool
  {
    guard opens(UInt8(ascii: "{")) else { return false }
    if closes(UInt8(ascii: "}")) { return true }
    while true {
      skipWhitespace()
      guard byte == UInt8(ascii: "\"") else { return fail(.expected("a key")) }
      guard let name = string() else { return false }
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { return fail(.expected("a colon")) }
      skipWhitespace()
      guard body(&self, name) else { return false }
      if closes(UInt8(ascii: "}")) { return true }
      guard take(UInt8(ascii: ",")) else { return fail(.expected("a comma or }")) }
    }
  }

  /// Reads an array; `body` is called before each element and must read it.
  package mutating func elements(_ body: (_ tokenizer: inout JSONTokenizer) -> Bool) -> Bool {
    guard opens(UInt8(ascii: "[")) else { return false }
    if closes(UInt8(ascii: "]")) { return true }
    while true {
      skipWhitespace()
      guard body(&self) else { return false }
      if closes(UInt8(ascii: "]")) { return true }
      guard take(UInt8(ascii: ",")) else { return fail(.expected("a comma or ]")) }
    }
  }

  private mutating func opens(_ bracket: UInt8) -> Bool {
    guard byte == bracket else { return fail(.expected("a value")) }
    guard depth < Self.nestingLimit else { return fail(.tooDeep) }
    depth &+= 1
    position &+= 1
    return true
  }

  private mutating func closes(_ bracket: UInt8) -> Bool {
    skipWhitespace()
    guard take(bracket) else { return false }
    depth &-= 1
    return true
  }

  /// Consumes one byte if it is the expected one.
  @inline(__always)
  private mutating func take(_ expected: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == expected else { return false }
    position &+= 1
    return true
  }

  /// The bytes from an offset to `position`.
  private func written(from start: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// The range of a part within the bytes.
  package func range(of part: UnsafeRawBufferPointer) -> Range<Int> {
    guard let base = bytes.baseAddress, let start = part.baseAddress else { return 0..<0 }
    return start - base..<start - base + part.count
  }

  /// Records an error, unless there is one already.
  ///
  /// At the end of the bytes, the reason becomes their premature end.
  @discardableResult
  package mutating func fail(_ reason: JSONSyntaxError.Reason, at offset: Int? = nil) -> Bool {
    let offset = offset ?? position
    if error == nil {
      error = JSONSyntaxError(reason: offset < bytes.count ? reason : .endsTooEarly, offset: offset)
    }
    return false
  }
}

// MARK: Scalars

extension JSONTokenizer {
  private mutating func literal(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { return fail(.expected("a value")) }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] {
      return fail(.expected("a value"))
    }
    position += count
    return true
  }

  /// Reads a number and returns its digits.
  package mutating func number() -> UnsafeRawBufferPointer? {
    let start = position
    let isNegative = take(UInt8(ascii: "-"))
    let whole = position
    guard digits(else: isNegative ? .badNumber : .expected("a value")) else { return nil }
    if position - whole > 1, bytes[whole] == UInt8(ascii: "0") {
      fail(.badNumber, at: start)
      return nil
    }
    if take(UInt8(ascii: ".")) {
      guard digits(else: .badNumber) else { return nil }
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits(else: .badNumber) else { return nil }
    }
    return written(from: start)
  }

  @inline(__always)
  private mutating func digits(else reason: @autoclosure () -> JSONSyntaxError.Reason) -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
    return position > start || fail(reason())
  }

  /// Reads a string and returns the contents of its quotes.
  package mutating func string() -> JSONText? {
    guard take(UInt8(ascii: "\"")) else {
      fail(.expected("a text"))
      return nil
    }
    let start = position
    var hasEscapes = false
    var isASCII = true
    while true {
      skipPlainText()
      let byte = byte
      if byte == UInt8(ascii: "\"") {
        let text = JSONText(written: written(from: start), hasEscapes: hasEscapes)
        guard isASCII || repairsText || text.isUTF8 else {
          fail(.notUTF8, at: start)
          return nil
        }
        position &+= 1
        return text
      }
      guard byte >= 0x20 else {
        fail(.controlCharacter)
        return nil
      }
      guard byte == UInt8(ascii: "\\") else {
        isASCII = isASCII && byte < 0x80
        position &+= 1
        continue
      }
      hasEscapes = true
      guard passEscape() else { return nil }
    }
  }

  private mutating func passEscape() -> Bool {
    position &+= 1
    if take(UInt8(ascii: "u")) {
      guard let unit = hexadecimal() else { return false }
      guard !repairsText, (0xD800...0xDFFF).contains(unit) else { return true }
      guard unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let trail = hexadecimal() else {
        return fail(.badEscape)
      }
      return (0xDC00...0xDFFF).contains(trail) || fail(.badEscape)
    }
    guard JSONText.shortEscape(byte) != nil else { return fail(.badEscape) }
    position &+= 1
    return true
  }

  private mutating func hexadecimal() -> UInt16? {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = JSONText.hexDigit(byte) else {
        fail(.badEscape)
        return nil
      }
      value = value << 4 | digit
      position &+= 1
    }
    return value
  }

  /// Skips ASCII other than quotes, backslashes and control characters, in words of eight bytes.
  @inline(__always)
  private mutating func skipPlainText() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones &* 0x80
    while position &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      // A set top bit marks a byte that is zero after the XOR, below 0x20, or not ASCII.
      let quote = word ^ ones &* 0x22
      let backslash = word ^ ones &* 0x5C
      let special =
        ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | (word &- ones &* 0x20) | word
      guard special & highs == 0 else {
        // Borrows can set false marks only after the first special byte.
        position &+= (special & highs).trailingZeroBitCount / 8
        return
      }
      position &+= 8
    }
  }
}
