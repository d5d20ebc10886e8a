import Codecs

/// The form of a text of records, by its beginning.
enum TextForm: Equatable {
  /// Lines that the scanner reads as they are.
  case lines
  case utf16(isBigEndian: Bool)
  /// Records that span lines, or an array without lines.
  case records

  /// Bytes from which the form is known at the latest.
  static let headLimit = 64 << 10

  /// The form of a text; `nil` if more of it is needed.
  ///
  /// - Parameters:
  ///   - head: The beginning of the text.
  ///   - isWhole: True if nothing follows.
  static func of(_ head: UnsafeRawBufferPointer, isWhole: Bool) -> TextForm? {
    let isLast = isWhole || head.count >= headLimit
    if head.count < 4, !isLast { return nil }
    if let isBigEndian = byteOrder(of: head) { return .utf16(isBigEndian: isBigEndian) }
    let text = head.withoutByteOrderMark
    let start = text.firstIndex { !isBlank($0) && $0 != LineRecords.recordSeparator }
    guard let start else { return isLast ? .lines : nil }
    switch text[start] {
    case UInt8(ascii: "{"): return object(in: text, from: start, isLast)
    case UInt8(ascii: "["): return array(in: text, from: start + 1, isLast, isWhole: isWhole)
    default: return .lines
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }

  /// True for big-endian UTF-16, false for little-endian; `nil` for any other text.
  private static func byteOrder(of head: UnsafeRawBufferPointer) -> Bool? {
    if head.starts(with: [0xFE, 0xFF]) { return true }
    if head.starts(with: [0xFF, 0xFE]) { return head.dropFirst(2).starts(with: [0, 0]) ? nil : false }
    guard head.count >= 4 else { return nil }
    // Without a mark, by two ASCII characters.
    func isText(_ byte: UInt8) -> Bool { isBlank(byte) || (0x20..<0x7F).contains(byte) }
    if isText(head[0]), head[1] == 0, isText(head[2]), head[3] == 0 { return false }
    if head[0] == 0, isText(head[1]), head[2] == 0, isText(head[3]) { return true }
    return nil
  }

  private static func object(in text: UnsafeRawBufferPointer, from start: Int, _ isLast: Bool) -> TextForm? {
    let rest = UnsafeRawBufferPointer(rebasing: text[start...])
    guard let newline = rest.firstNewline else { return isLast ? .lines : nil }
    if let end = RecordEnd.of(rest, from: 0), end <= newline { return .lines }
    return spanning(rest, isLast)
  }

  private static func array(
    in text: UnsafeRawBufferPointer, from start: Int, _ isLast: Bool, isWhole: Bool
  ) -> TextForm? {
    guard let first = text[start...].firstIndex(where: { !isBlank($0) }) else { return isLast ? .lines : nil }
    guard text[first] == UInt8(ascii: "{") || text[first] == UInt8(ascii: "[") else { return .lines }
    let rest = UnsafeRawBufferPointer(rebasing: text[first...])
    if text[first] == UInt8(ascii: "{"), let end = RecordEnd.of(rest, from: 0) {
      let newline = rest.firstNewline
      if let newline { return newline < end ? spanning(rest, isLast) : .lines }
      // An array in one line may go on without an end.
      let isClosed = text.last { !isBlank($0) } == UInt8(ascii: "]")
      return isLast ? (isWhole && isClosed ? .lines : .records) : nil
    }
    return spanning(rest, isLast)
  }

  /// Tells records that span lines from a line that was cut off.
  private static func spanning(_ rest: UnsafeRawBufferPointer, _ isLast: Bool) -> TextForm? {
    var shaper = RecordShaper()
    var output: [UInt8] = []
    shaper.take(rest, into: &output)
    if shaper.isTorn { return .lines }
    return shaper.hasRecord || isLast ? .records : nil
  }
}
