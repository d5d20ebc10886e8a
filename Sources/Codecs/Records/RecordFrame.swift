/// The header of a record in a file: the length of the content, a check of the length, and a checksum of the content.
///
/// The length has its own check because it locates the next record: a damaged length must not be mistaken for a record
/// torn at the end of the file. The check also shows where a record can begin, and zeros never pass it.
package enum RecordFrame {
  /// Size of the header in bytes.
  package static let headerSize = 12
  /// Maximum size of the content in bytes.
  package static let maximalContent = Int(Int32.max)

  /// The header for some content.
  package static func header(of content: [UInt8]) -> [UInt8] {
    let length = LittleEndian.bytes(of: UInt32(truncatingIfNeeded: content.count))
    return length + LittleEndian.bytes(of: CRC32.checksum(of: length[...]))
      + LittleEndian.bytes(of: CRC32.checksum(of: content[...]))
  }

  /// Content preceded by its header.
  package static func bytes(of content: [UInt8]) -> [UInt8] { header(of: content) + content }

  /// Parses a header; `nil` if it is not valid.
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

  /// The content of the first record; `nil` if it is damaged.
  package static func content(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let header = read(header: bytes.prefix(headerSize)) else { return nil }
    let content = bytes.dropFirst(headerSize).prefix(header.length)
    guard content.count == header.length, CRC32.checksum(of: content) == header.checksum else { return nil }
    return content
  }
}

/// Little-endian integers in files.
package enum LittleEndian {
  /// The bytes of an integer.
  package static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// The integer of some bytes; missing bytes count as zeros, extra ones are ignored.
  package static func number<Number: FixedWidthInteger>(
    _ type: Number.Type, in bytes: ArraySlice<UInt8>
  ) -> Number {
    bytes.prefix(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }
}
