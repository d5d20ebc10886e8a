/// A position in a line of text, for prefixes made of words.
struct PrefixCursor {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next byte; 0 at the end.
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }
  var isAtEnd: Bool { position >= bytes.count }

  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  /// Skips spaces and the escape sequences that color a prefix.
  mutating func skipSpace() {
    while position < bytes.count {
      if byte == 0x20 || byte == 0x09 {
        position += 1
      } else if byte == 0x1B, let end = colorEnd {
        position = end
      } else {
        return
      }
    }
  }

  /// The end of the escape sequence `ESC [ … m` at the position.
  private var colorEnd: Int? {
    var place = position + 1
    guard place < bytes.count, bytes[place] == UInt8(ascii: "[") else { return nil }
    place += 1
    while place < bytes.count, bytes[place] == UInt8(ascii: ";") || bytes[place] &- UInt8(ascii: "0") < 10 {
      place += 1
    }
    return place < bytes.count && bytes[place] == UInt8(ascii: "m") ? place + 1 : nil
  }

  /// The range of the next word, up to a space; at most `limit` bytes.
  func word(limit: Int = 256) -> Range<Int>? {
    var end = position
    while end < bytes.count, bytes[end] > 0x20 {
      end += 1
      guard end - position <= limit else { return nil }
    }
    return end > position ? position..<end : nil
  }

  /// Skips a word and the space after it, if it is the next one.
  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
    position += count
    return true
  }

  /// Skips a word; returns it.
  mutating func takeWord() -> UnsafeRawBufferPointer? {
    guard let word = word() else { return nil }
    position = word.upperBound
    skipSpace()
    return slice(word)
  }
}
