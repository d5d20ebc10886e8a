/// The JSON values of a text one after the other; goes on behind what is broken.
struct JSONDocuments {
  /// A value, or why there is none.
  enum Document {
    case value(JSONValue, PayloadPlace)
    case failure(PayloadReadingError)
  }

  /// So many bytes of a broken document are read again at most.
  private static let readAgainLimit = 1 << 20

  private var parser: JSONParser
  private var lines = LineCounter()

  init(_ bytes: [UInt8]) {
    parser = JSONParser(bytes)
  }

  /// The next value, nil at the end.
  mutating func next() -> Document? {
    if parser.isAtEnd() { return nil }
    let start = parser.position
    let line = lines.place(of: start, in: parser.bytes).line
    do throws(JSONSyntaxError) {
      let value = try parser.next()
      // What is left of a broken array is parted by commas.
      if !parser.isAtEnd(), parser.byte == UInt8(ascii: ",") { parser.position += 1 }
      return .value(value, PayloadPlace(line: line, byte: start))
    } catch {
      parser.position = nextDocument(after: start, brokenBy: error)
      // A copy counts on: the next document may begin before the place where this one broke.
      var ahead = lines
      let place = ahead.place(of: error.offset, in: parser.bytes)
      return .failure(PayloadReadingError(code: .notJSON, place: place, text: error.text))
    }
  }

  /// The next line that looks like a document of its own.
  ///
  /// A line that was cut off takes the next one for its continuation, so the search begins behind the start. Where that
  /// would read much again it begins at the line that is broken.
  private func nextDocument(after start: Int, brokenBy error: JSONSyntaxError) -> Int {
    let bytes = parser.bytes
    var candidate = lineBegin(after: start)
    if error.reason == .tooDeep || error.offset - start > Self.readAgainLimit {
      let broken = bytes[start..<min(error.offset, bytes.count)].lastIndex(of: 0x0A)
      candidate = broken.map { $0 + 1 } ?? candidate
    }
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

/// Tells the line and column of bytes that are asked for in their order.
private struct LineCounter {
  private var line = 1
  private var lineStart = 0
  private var counted = 0

  mutating func place(of offset: Int, in bytes: [UInt8]) -> PayloadPlace {
    for index in counted..<max(counted, min(offset, bytes.count)) where bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    counted = max(counted, offset)
    return PayloadPlace(line: line, column: offset - lineStart + 1, byte: offset)
  }
}
