/// A file with symbols, read at any offset.
package protocol ObjectBytes {
  /// The size in bytes.
  var size: UInt64 { get }
  /// Reads bytes of the file; fewer, or none, where it ends or cannot be read.
  func read(_ range: Range<UInt64>) -> [UInt8]
}

extension ObjectBytes {
  /// Reads exactly these bytes of a part of the file.
  ///
  /// - Parameters:
  ///   - offset: Offset in the part.
  ///   - limit: Maximum number of bytes that the reader is willing to hold.
  /// - Returns: `nil` if the part does not have them, or if they are too many.
  func bytes(at offset: UInt64, count: UInt64, in part: Range<UInt64>, limit: UInt64 = 4 << 20) -> FileFields?
  {
    let start = part.lowerBound.addingReportingOverflow(offset)
    let end = start.partialValue.addingReportingOverflow(count)
    guard count <= limit, !start.overflow, !end.overflow, end.partialValue <= min(part.upperBound, size)
    else {
      return nil
    }
    let bytes = read(start.partialValue..<end.partialValue)
    return bytes.count == Int(clamping: count) ? FileFields(bytes) : nil
  }
}

/// Numbers in the header of a file.
struct FileFields {
  let bytes: [UInt8]
  let isLittleEndian: Bool

  init(_ bytes: [UInt8], isLittleEndian: Bool = true) {
    (self.bytes, self.isLittleEndian) = (bytes, isLittleEndian)
  }

  var count: Int { bytes.count }

  func ordered(littleEndian: Bool) -> FileFields { FileFields(bytes, isLittleEndian: littleEndian) }

  /// The bytes of a range; `nil` if it does not lie in the header.
  subscript(_ offset: Int, count count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
    return bytes[offset..<offset + count]
  }

  func number(at offset: Int, bytes count: Int) -> UInt64? {
    guard count <= 8, let field = self[offset, count: count] else { return nil }
    return (isLittleEndian ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | UInt64($1) }
  }

  func half(at offset: Int) -> Int? { number(at: offset, bytes: 2).map { Int($0) } }
  func word(at offset: Int) -> UInt64? { number(at: offset, bytes: 4) }
  func long(at offset: Int) -> UInt64? { number(at: offset, bytes: 8) }

  /// The text up to the first zero byte in a field of fixed size.
  func text(at offset: Int, size: Int) -> String? {
    self[offset, count: size].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The text up to the next zero byte.
  func text(at offset: Int) -> String? {
    guard offset >= 0, offset < bytes.count else { return nil }
    return String(decoding: bytes[offset...].prefix(256).prefix { $0 != 0 }, as: UTF8.self)
  }
}
