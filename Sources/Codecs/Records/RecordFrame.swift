/// The header before the content of a record in a file: its length, a check of the length, a check of the content.
///
/// The length has a check of its own, because it says where the next record begins: a damaged one must not pass for a
/// record that was torn at the end of the file. The check also tells where a record may begin at all, zeros included.
package enum RecordFrame {
  /// How many bytes come before the content.
  package static let headerSize = 12
  /// The most that one record can hold.
  package static let maximalContent = Int(Int32.max)

  /// The bytes before a content.
  package static func header(of content: [UInt8]) -> [UInt8] {
    let length = LittleEndian.bytes(of: UInt32(truncatingIfNeeded: content.count))
    return length + LittleEndian.bytes(of: CRC32.checksum(of: length[...]))
      + LittleEndian.bytes(of: CRC32.checksum(of: content[...]))
  }

  /// A content with its header.
  package static func bytes(of content: [UInt8]) -> [UInt8] { header(of: content) + content }

  /// The fields of a header, or `nil` when it is none.
  package static func read(header: ArraySlice<UInt8>) -> (length: Int, checksum: UInt32)? {
    guard header.count == headerSize else { return nil }
    let length = header.prefix(4)
    guard LittleEndian.number(UInt32.self, in: header.dropFirst(4)) == CRC32.checksum(of: length) else {
      return nil
    }
    return (
      Int(LittleEndian.number(UInt32.self, in: length)),
      LittleEndian.number(UInt32.self, in: header.dropFirst(8))
    )
  }

  /// The content of the one record that bytes begin with, or `nil` when it is not as it was written.
  package static func content(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let header = read(header: bytes.prefix(headerSize)) else { return nil }
    let content = bytes.dropFirst(headerSize).prefix(header.length)
    guard content.count == header.length, CRC32.checksum(of: content) == header.checksum else { return nil }
    return content
  }
}

/// Numbers in files, the lowest byte first.
package enum LittleEndian {
  /// The bytes of a number.
  package static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// The number that bytes are; what is missing of them counts as zeros, what is too much is left out.
  package static func number<Number: FixedWidthInteger>(
    _ type: Number.Type, in bytes: ArraySlice<UInt8>
  ) -> Number {
    bytes.prefix(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }
}
