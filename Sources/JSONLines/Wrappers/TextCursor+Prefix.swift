// Prefixes made of words.
extension TextCursor {
  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[range])
  }

  /// Skips spaces and the escape sequences that color a prefix.
  mutating func skipSpace() {
    while position < text.count {
      if next == 0x20 || next == 0x09 {
        position += 1
      } else if next == 0x1B, let end = colorEnd {
        position = end
      } else {
        return
      }
    }
  }

  /// The end of the escape sequence `ESC [ … m` at the position.
  private var colorEnd: Int? {
    var place = position + 1
    guard place < text.count, text[place] == UInt8(ascii: "[") else { return nil }
    place += 1
    while place < text.count, text[place] == UInt8(ascii: ";") || text[place] &- UInt8(ascii: "0") < 10 {
      place += 1
    }
    return place < text.count && text[place] == UInt8(ascii: "m") ? place + 1 : nil
  }

  /// The range of the next word, up to a space; at most `limit` bytes.
  func word(limit: Int) -> Range<Int>? {
    var end = position
    while end < text.count, text[end] > 0x20 {
      end += 1
      guard end - position <= limit else { return nil }
    }
    return end > position ? position..<end : nil
  }

  /// Skips a word and the space after it, if it is the next one.
  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard text.count - position >= count else { return false }
    for index in 0..<count where text[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }

  /// Skips a word; returns it.
  mutating func takeWord() -> UnsafeRawBufferPointer? {
    guard let word = word(limit: 256) else { return nil }
    position = word.upperBound
    skipSpace()
    return slice(word)
  }
}
