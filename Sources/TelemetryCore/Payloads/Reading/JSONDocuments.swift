import Codecs

/// The JSON values of a text one after the other; goes on behind what is broken.
struct JSONDocuments {
  /// A value, or why there is none.
  enum Document {
    case value(JSONValue, PayloadPlace)
    case failure(PayloadReadingError)
  }

  /// Maximum bytes of a broken document that are read again.
  private static let readAgainLimit = 1 << 20

  private let bytes: [UInt8]
  private var position: Int
  private var lines = LineCounter()

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = JSONValue.start(of: bytes)
  }

  /// The next value, nil at the end.
  mutating func next() -> Document? {
    skipBlanks()
    if position >= bytes.count { return nil }
    let start = position
    let line = lines.place(of: start, in: bytes).line
    do throws(JSONSyntaxError) {
      let value = try JSONValue(bytes, at: &position)
      // The remains of a broken array are separated by commas.
      skipBlanks()
      if position < bytes.count, bytes[position] == UInt8(ascii: ",") { position += 1 }
      return .value(value, PayloadPlace(line: line, byte: start))
    } catch {
      position = nextDocument(after: start, brokenBy: error)
      // A copy counts on: the next document may begin before the place where this one broke.
      var ahead = lines
      let place = ahead.place(of: error.offset, in: bytes)
      return .failure(
        PayloadReadingError(
          code: .notJSON, place: PayloadPlace(line: place.line, column: place.column, byte: error.offset),
          text: error.text))
    }
  }

  private mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
  }

  /// The next line that looks like a document of its own.
  ///
  /// A line that was cut off takes the next one for its continuation, so the search begins behind the start. Where that
  /// would read much again it begins at the line that is broken.
  private func nextDocument(after start: Int, brokenBy error: JSONSyntaxError) -> Int {
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
    guard offset < bytes.count else { return bytes.count }
    return bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
  }
}
