package import Platform

/// Reads the records of a file one after the other, up to the first damaged one.
///
/// There the caller decides whether to stop or to skip to the next valid record.
package struct RecordWalk {
  /// The next item in a file.
  package enum Step {
    /// A valid record.
    case record(ArraySlice<UInt8>)
    /// The end of the file.
    case end
    /// An incomplete record: its writer was killed, or the file grew before a power failure and its content, now zeros,
    /// did not reach the disk.
    case torn
    /// A record with damaged content; the next one begins at `end`.
    case badContent(end: Int)
    /// Not a record, but followed by more data.
    case badHeader
  }

  private var window: FileWindow
  private let maximalContent: Int
  /// The offset of the next record.
  package private(set) var position: Int

  /// Starts at an offset; a record longer than `maximalContent` is treated as invalid and not read into memory.
  package init(_ window: FileWindow, at position: Int, maximalContent: Int = .max) {
    self.window = window
    self.position = position
    self.maximalContent = maximalContent
  }

  /// The size of the file in bytes.
  package var size: Int { window.size }

  /// The next item; the position moves only past a valid record.
  package mutating func next() throws(FileFailure) -> Step {
    let rest = window.size - position
    guard rest > 0 else { return .end }
    guard rest >= RecordFrame.headerSize else { return .torn }
    guard
      let header = RecordFrame.read(header: try window.bytes(at: position, count: RecordFrame.headerSize)),
      header.length <= maximalContent
    else {
      return try window.isZero(from: position) ? .torn : .badHeader
    }
    let size = RecordFrame.headerSize + header.length
    guard size <= rest else { return .torn }
    let content = try window.bytes(at: position + RecordFrame.headerSize, count: header.length)
    guard CRC32.checksum(of: content) == header.checksum else { return .badContent(end: position + size) }
    position += size
    return .record(content)
  }

  /// Continues at another offset.
  package mutating func skip(to position: Int) { self.position = position }

  /// Continues at the next offset at which a record may begin, or at the end of the file.
  package mutating func skipToHeader() throws(FileFailure) {
    position = min(position + 1, window.size)
    while window.size - position >= RecordFrame.headerSize {
      let bytes = try window.bytes(at: position, count: min(window.size - position, 1 << 16))
      for start in bytes.startIndex...(bytes.endIndex - RecordFrame.headerSize) {
        if RecordFrame.read(header: bytes[start..<start + RecordFrame.headerSize]) != nil {
          position += start - bytes.startIndex
          return
        }
      }
      position += bytes.count - RecordFrame.headerSize + 1
    }
    position = window.size
  }
}
