/// Joins the pieces of lines that a container runtime cut, each stream's for itself.
struct PartialLines: Sendable {
  /// Length of a piece that docker cuts; the last piece is shorter or ends with a newline.
  static let piece = 16_000

  private var pieces: [UInt8: [UInt8]] = [:]

  /// True if no piece waits for the end of its line.
  var isEmpty: Bool { pieces.isEmpty }

  mutating func removeAll() { pieces.removeAll() }

  /// Adds a piece; returns the whole line with its last piece, and `nil` before.
  ///
  /// A line that grows too long is dropped up to the piece that exceeds the limit.
  mutating func add(_ piece: some Collection<UInt8>, stream: UInt8, isLast: Bool) -> [UInt8]? {
    var line = pieces.removeValue(forKey: stream) ?? []
    line.append(contentsOf: piece)
    guard !isLast, line.count <= RejectionReason.lineLimit else { return line }
    pieces[stream] = line
    return nil
  }

  /// True if one of the first lines may be a piece other than the first of its line.
  static func mayContinue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    // The streams take turns.
    for _ in 0..<8 {
      if isLaterPiece(rest) { return true }
      guard let newline = rest.firstNewline else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[(newline + 1)...])
    }
    return false
  }

  private static func isLaterPiece(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "{") else {
      return false
    }
    let docker = Array("{\"log\":\"".utf8)
    if first == UInt8(ascii: "{") {
      guard bytes.count > docker.count, bytes[..<docker.count].elementsEqual(docker) else { return false }
      return bytes[docker.count] != UInt8(ascii: "{")
    }
    var cursor = TextCursor(bytes)
    guard cursor.takeWord() != nil, cursor.take("stdout ") || cursor.take("stderr "),
      cursor.take("F ") || cursor.take("P ")
    else { return false }
    return cursor.next != UInt8(ascii: "{")
  }

  /// True if a stream waits for the end of a line.
  func waits(_ stream: UInt8) -> Bool { pieces[stream] != nil }
}
