package import Platform

/// Walks through the records of a file, one after the other, up to the first that is not as it was written.
///
/// There the caller decides: the one stops, the other goes on with the next record that is good.
package struct RecordWalk {
  /// The next thing in a file.
  package enum Step {
    /// A good record.
    case record(ArraySlice<UInt8>)
    /// Nothing.
    case end
    /// Less than a record: its writer was killed, or the file grew before a power cut and its content, now zeros, did not
    /// reach the disk.
    case torn
    /// A record that is not as it was written; the next begins at `end`.
    case badContent(end: Int)
    /// No record, and more behind it.
    case badHeader
  }

  private var window: FileWindow
  private let maximalContent: Int
  /// Where the next record begins.
  package private(set) var position: Int

  /// Begins at a place of a file; what is longer than any record can be is none, and is not read into memory.
  package init(_ window: FileWindow, at position: Int, maximalContent: Int = .max) {
    self.window = window
    self.position = position
    self.maximalContent = maximalContent
  }

  /// How many bytes the file has.
  package var size: Int { window.size }

  /// The next step; only a good record is passed.
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

  /// Goes on at another place.
  package mutating func skip(to position: Int) { self.position = position }

  /// Goes on at the next place behind this one where a record may begin, or at the end of the file.
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
