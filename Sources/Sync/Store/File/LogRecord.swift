import Codecs

/// One transaction in a log: its length, a check of the length, a check of the content, and the content.
///
/// The length has a check of its own, because it says where the next record begins: a damaged one must not pass for a
/// record that was torn at the end of the file.
enum LogRecord {
  /// How many bytes come before the content.
  static let headerSize = 12
  /// The most that one transaction can hold.
  static let maximalContent = Int(Int32.max)

  /// The bytes before a content.
  static func header(of content: [UInt8]) -> [UInt8] {
    let length = bytes(of: UInt32(truncatingIfNeeded: content.count))
    return length + bytes(of: CRC32.checksum(of: length[...])) + bytes(of: CRC32.checksum(of: content[...]))
  }

  /// What a header says, or `nil` when it is none.
  static func read(header: ArraySlice<UInt8>) -> (length: Int, checksum: UInt32)? {
    guard header.count == headerSize else { return nil }
    let words = stride(from: header.startIndex, to: header.endIndex, by: 4).map { start in
      header[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    guard words[1] == CRC32.checksum(of: header.prefix(4)) else { return nil }
    return (Int(words[0]), words[2])
  }

  private static func bytes(of word: UInt32) -> [UInt8] {
    withUnsafeBytes(of: word.littleEndian) { Array($0) }
  }
}
