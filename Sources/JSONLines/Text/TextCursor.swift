/// Reads numbers, words and signs from the bytes of a short text, from left to right.
struct TextCursor {
  let text: UnsafeRawBufferPointer
  var position = 0

  init(_ text: UnsafeRawBufferPointer, at position: Int = 0) {
    (self.text, self.position) = (text, position)
  }

  var isAtEnd: Bool { position >= text.count }
  /// The next byte; 0 at the end.
  var next: UInt8 { position < text.count ? text[position] : 0 }
  var isAtDigit: Bool { next &- UInt8(ascii: "0") < 10 }
  var isAtLetter: Bool { Self.isLetter(next) }
  /// Number of digits that follow.
  var digitCount: Int { text[position...].prefix { $0 &- UInt8(ascii: "0") < 10 }.count }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  /// Skips a byte; `false` if another one is next.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips any of these bytes and narrow spaces, which some languages write before AM and PM.
  mutating func skipAll(_ bytes: StaticString) {
    while !isAtEnd {
      if text[position] == 0xE2, text[position...].prefix(3).elementsEqual([0xE2, 0x80, 0xAF]) {
        position += 3
      } else if next < 0x80,
        UnsafeBufferPointer(start: bytes.utf8Start, count: bytes.utf8CodeUnitCount).contains(next)
      {
        position += 1
      } else {
        return
      }
    }
  }

  mutating func skipSpaces() { skipAll(" ") }

  /// Reads all digits that follow; `nil` unless their number is one of these.
  mutating func number(_ counts: ClosedRange<Int>) -> Int? {
    counts.contains(digitCount) ? digits(digitCount) : nil
  }

  /// Reads this many digits, at most eighteen, though more may follow.
  mutating func digits(_ count: Int) -> Int? {
    guard digitCount >= count, count <= 18 else { return nil }
    var value = 0
    for byte in text[position..<position + count] { value = value * 10 + Int(byte - UInt8(ascii: "0")) }
    position += count
    return value
  }

  /// Reads the letters that follow.
  mutating func word() -> Slice<UnsafeRawBufferPointer> {
    let start = position
    while isAtLetter { position += 1 }
    return text[start..<position]
  }

  /// Reads the fraction after a point or comma; digits after the ninth are ignored.
  mutating func fraction() -> Double? {
    guard let (value, end) = MomentText.fraction(text, from: position) else { return nil }
    position = end
    return value
  }

  /// Skips to after this byte; `false` if it does not follow.
  mutating func skip(past byte: UInt8) -> Bool {
    guard let found = text[position...].firstIndex(of: byte) else { return false }
    position = found + 1
    return true
  }
}
