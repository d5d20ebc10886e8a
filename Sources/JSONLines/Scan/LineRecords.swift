import Codecs
import Essentials

/// Finds the records of a line that holds several of them, or the brackets and commas of an array.
///
/// Records may be separated by white space, commas, brackets and the record separators of JSON text sequences
/// (RFC 7464), or by nothing. Their ends are found by braces alone, so that a fault inside one costs only that one.
struct LineRecords {
  private let text: UnsafeRawBufferPointer
  /// The end of the last record, or the start of what is not a record.
  private(set) var position = 0

  /// Maximum length of a line of brackets and commas; a longer one is no layout.
  static let emptyLimit = 80
  /// Starts a record of a JSON text sequence.
  static let recordSeparator: UInt8 = 0x1E

  /// - Parameter text: A line; a byte order mark before it is skipped.
  init(_ text: UnsafeRawBufferPointer) {
    self.text = text
    position = text.count &- text.withoutByteOrderMark.count
  }

  /// True if a line begins and ends like a single record.
  static func isBare(_ text: UnsafeRawBufferPointer) -> Bool {
    text.first == UInt8(ascii: "{") && text.last == UInt8(ascii: "}")
  }

  /// True if a text begins with at least two records.
  static func hasSeveral(_ text: UnsafeRawBufferPointer) -> Bool {
    guard mayHaveSeveral(text) else { return false }
    var frame = LineRecords(text)
    return frame.next() != nil && frame.next() != nil
  }

  /// True if a brace closes right before another one opens, as between two records.
  private static func mayHaveSeveral(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return false }
    var position = 0
    while position < text.count, let brace = memchr(base + position, 0x7D, text.count - position) {
      position = UnsafeRawPointer(brace) - base + 1
      while position < text.count, isSeparator(text[position]) { position &+= 1 }
      if position < text.count, text[position] == UInt8(ascii: "{") { return true }
    }
    return false
  }

  /// True if nothing follows.
  var isAtEnd: Bool { position >= text.count }

  /// The next record; `nil` at the end, and before anything that is not a whole record.
  mutating func next() -> Range<Int>? {
    while position < text.count, Self.isSeparator(text[position]) { position &+= 1 }
    guard position < text.count, text[position] == UInt8(ascii: "{"),
      let end = RecordEnd.of(text, from: position)
    else { return nil }
    defer { position = end }
    return position..<end
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0D, UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), recordSeparator: true
    default: false
    }
  }
}

/// Finds the end of an object by its braces, piece by piece.
struct RecordEnd: Sendable {
  private var depth = 0
  private var isInText = false
  private var isEscaped = false

  /// The end of the object that starts at a position; `nil` if it has none.
  static func of(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var search = RecordEnd()
    return search.find(in: text, from: start)
  }

  /// Reads on; returns the end of the object, or `nil` if it is not in these bytes.
  mutating func find(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    while position < text.count {
      let byte = text[position]
      position &+= 1
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        if depth <= 0 { return position }
      default: break
      }
    }
    return nil
  }
}
