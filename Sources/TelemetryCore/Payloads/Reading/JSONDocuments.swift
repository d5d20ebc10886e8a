import Codecs

/// The consecutive JSON values of a text; continues after invalid ones.
struct JSONDocuments {
  /// A value, or the reason why there is none.
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

  /// The next value; `nil` at the end.
  mutating func next() -> Document? {
    skipBlanks()
    if position >= bytes.count { return nil }
    let start = position
    let line = lines.place(of: start, in: bytes).line
    do throws(JSONSyntaxError) {
      let value = try JSONValue(bytes, at: &position)
      // The elements left over from a broken array are separated by commas.
      skipBlanks()
      if position < bytes.count, bytes[position] == UInt8(ascii: ",") { position += 1 }
      return .value(value, PayloadPlace(line: line, byte: start))
    } catch {
      position = nextDocument(after: start, brokenBy: error)
      // Counts with a copy: the next document may begin before the error in this one.
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

  /// The next line that looks like the start of a document.
  ///
  /// A truncated line takes the next one for its continuation, so the search starts right after the beginning of the
  /// document. If that would mean reading too much again, it starts at the broken line.
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
