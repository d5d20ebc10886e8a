import Foundation

/// The JSON values of a text one after the other; goes on behind what is broken.
struct JSONDocuments {
  /// A value, or why there is none.
  enum Document {
    case value(JSONValue, PayloadPlace)
    case failure(PayloadReadingError)
  }

  private var parser: JSONParser
  private var lines = LineCounter()

  init(_ data: Data) {
    parser = JSONParser(Array(data))
  }

  /// The next value, nil at the end.
  mutating func next() -> Document? {
    if parser.isAtEnd() { return nil }
    let start = parser.position
    let line = lines.place(of: start, in: parser.bytes).line
    do throws(JSONSyntaxError) {
      return .value(try parser.next(), PayloadPlace(line: line, byte: start))
    } catch {
      parser.position = nextDocument(after: start, brokenAt: error.offset)
      let place = lines.place(of: error.offset, in: parser.bytes)
      return .failure(PayloadReadingError(code: .notJSON, place: place, text: error.text))
    }
  }

  /// The next line that looks like a document of its own: the one that is broken, if that is another than the first.
  private func nextDocument(after start: Int, brokenAt offset: Int) -> Int {
    let bytes = parser.bytes
    let head = bytes[start..<min(offset, bytes.count)]
    var candidate = (head.lastIndex(of: 0x0A) ?? start) + 1
    if candidate == start + 1 { candidate = lineBegin(after: offset) }
    while candidate < bytes.count {
      if bytes[candidate] == UInt8(ascii: "{") || bytes[candidate] == UInt8(ascii: "[") { return candidate }
      candidate = lineBegin(after: candidate)
    }
    return bytes.count
  }

  private func lineBegin(after offset: Int) -> Int {
    guard offset < parser.bytes.count else { return parser.bytes.count }
    return parser.bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? parser.bytes.count
  }
}

/// Tells the line and column of bytes; asked in their order it passes the text once.
private struct LineCounter {
  private var line = 1
  private var lineStart = 0
  private var counted = 0

  mutating func place(of offset: Int, in bytes: [UInt8]) -> PayloadPlace {
    if offset < counted { self = LineCounter() }
    for index in counted..<min(offset, bytes.count) where bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    counted = offset
    return PayloadPlace(line: line, column: offset - lineStart + 1, byte: offset)
  }
}
