import Essentials

/// The bytes of an unchanging file, a part of them in memory at a time.
package struct FileWindow {
  /// Size of the file in bytes.
  package let size: Int
  private let length: Int
  private let read: (_ offset: Int, _ count: Int) throws(FileFailure) -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0

  /// A window that fetches bytes with `read`, at least `length` at a time.
  package init(
    size: Int, length: Int = 1 << 20,
    read: @escaping (_ offset: Int, _ count: Int) throws(FileFailure) -> [UInt8]
  ) {
    self.size = size
    self.length = length
    self.read = read
  }

  /// A window over bytes in memory.
  package init(_ bytes: [UInt8]) {
    self.init(size: bytes.count) { Array(bytes[$0..<$0 + $1]) }
  }

  /// The bytes at an offset in the file.
  package mutating func bytes(at offset: Int, count: Int) throws(FileFailure) -> ArraySlice<UInt8> {
    if offset < start || offset + count > start + buffer.count {
      buffer = try read(offset, min(size - offset, max(count, length)))
      start = offset
      // The file was truncated during reading.
      guard buffer.count >= count else { throw FileFailure(.read, number: ENODATA) }
    }
    return buffer[offset - start..<offset - start + count]
  }

  /// True if only zeros follow.
  package mutating func isZero(from offset: Int) throws(FileFailure) -> Bool {
    for part in stride(from: offset, to: size, by: length) {
      let bytes = try bytes(at: part, count: min(length, size - part))
      guard bytes.allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }
}
