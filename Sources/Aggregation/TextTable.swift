/// The distinct texts of one series, numbered; bounded, so that a series of unique texts stays small.
package struct TextTable: Sendable {
  /// Maximum distinct texts; later ones share number 0.
  package static let limit = 64
  /// Maximum number of UTF-8 bytes; longer texts are cut at a character boundary.
  package static let byteLimit = 96
  /// The text with number 0.
  package static let other = "(other)"

  private var numbers: [String: Int] = [:]
  private var texts: [String] = [other]

  package init() {}

  /// Restores a table from its texts, numbered from 1; `nil` if two are equal or there are too many.
  package init?(texts kept: [String]) {
    guard kept.count <= Self.limit else { return nil }
    texts += kept
    for (index, text) in kept.enumerated() { numbers[text] = index + 1 }
    guard numbers.count == kept.count else { return nil }
  }

  /// True if there is no room for a new text.
  var isFull: Bool { texts.count > Self.limit }
  /// The number of distinct texts.
  package var count: Int { texts.count - 1 }

  /// The number of a text; 0 if there is no room for a new one.
  ///
  /// - Parameter allowNew: true if the store has room for another text.
  package mutating func number(of text: String, allowNew: Bool) -> Int {
    let text = Self.cut(text)
    if let known = numbers[text] { return known }
    guard allowNew, !isFull else { return 0 }
    texts.append(text)
    numbers[text] = texts.count - 1
    return texts.count - 1
  }

  package subscript(number: Int) -> String {
    texts.indices.contains(number) ? texts[number] : Self.other
  }

  /// The text as the table stores it.
  package static func cut(_ text: String) -> String {
    guard text.utf8.count > byteLimit else { return text }
    var bytes = 0
    var end = text.startIndex
    for character in text {
      bytes += character.utf8.count
      // A single character may carry thousands of combining marks; it is then left out too.
      if bytes > byteLimit { break }
      end = text.index(after: end)
    }
    return text[..<end] + "…"
  }
}
