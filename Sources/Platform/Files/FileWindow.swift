import Essentials

/// The bytes of a file that does not change, some of them at a time in memory.
package struct FileWindow {
  /// How many bytes there are.
  package let size: Int
  private let length: Int
  private let read: (_ offset: Int, _ count: Int) throws(FileFailure) -> [UInt8]
  private var buffer: [UInt8] = []
  private var start = 0

  /// Bytes that `read` fetches, `length` of them at a time or more.
  package init(
    size: Int, length: Int = 1 << 20,
    read: @escaping (_ offset: Int, _ count: Int) throws(FileFailure) -> [UInt8]
  ) {
    self.size = size
    self.length = length
    self.read = read
  }

  /// Bytes that are in memory.
  package init(_ bytes: [UInt8]) {
    self.init(size: bytes.count) { Array(bytes[$0..<$0 + $1]) }
  }

  /// The bytes of a place inside of the file.
  package mutating func bytes(at offset: Int, count: Int) throws(FileFailure) -> ArraySlice<UInt8> {
    if offset < start || offset + count > start + buffer.count {
      buffer = try read(offset, min(size - offset, max(count, length)))
      start = offset
      // The file became shorter while it was read.
      guard buffer.count >= count else { throw FileFailure(.read, number: ENODATA) }
    }
    return buffer[offset - start..<offset - start + count]
  }

  /// True if nothing but zeros follows.
  package mutating func isZero(from offset: Int) throws(FileFailure) -> Bool {
    for part in stride(from: offset, to: size, by: length) {
      let bytes = try bytes(at: part, count: min(length, size - part))
      guard bytes.allSatisfy({ $0 == 0 }) else { return false }
    }
    return true
  }
}
