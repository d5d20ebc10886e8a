import Codecs

/// The last whole lines before a place, known by their hashes.
///
/// One line that is also in another file proves little: the same counter is often written several times in one second. A run
/// of lines that occur nowhere else does.
package struct LastLines: Hashable, Sendable {
  /// As many lines as are kept; of ten in the same second nine may be the same.
  static let capacity = 64
  /// As many of them as a file of positions has.
  static let savedCapacity = 32
  /// Lines that occur once and are written a second time by no program but one that copies.
  static let proof = 4

  /// Oldest first.
  package private(set) var hashes: [UInt32]
  /// Behind the last of them.
  package private(set) var end: UInt64

  package init(hashes: [UInt32] = [], end: UInt64 = 0) {
    self.hashes = hashes
    self.end = end
  }

  /// The lines that end in the bytes before an offset.
  ///
  /// - Parameter start: where the bytes begin in the file; the line that they begin within, if it is not the start of the file, is
  ///   left out.
  package init(of bytes: UnsafeRawBufferPointer, from start: UInt64) {
    self.init(end: start)
    let first = start == 0 ? 0 : bytes.firstNewline.map { $0 + 1 } ?? bytes.count
    append(bytes, at: start, payload: first, lineStart: start + UInt64(first))
  }

  /// Adds the lines that end in a buffer.
  ///
  /// - Parameters:
  ///   - start: The offset of the buffer in the file. It has at least the last ``TailMark/limit`` bytes of a line that began
  ///     earlier.
  ///   - payload: The start of the new bytes; those before were seen already.
  ///   - lineStart: The offset of the first line in the file.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, at start: UInt64, payload: Int, lineStart: UInt64
  ) {
    var newlines: [Int] = []
    var rest = UnsafeRawBufferPointer(rebasing: bytes[payload...])
    while newlines.count <= Self.capacity, let newline = rest.lastNewline {
      newlines.append(payload + newline)
      rest = UnsafeRawBufferPointer(rebasing: rest[..<newline])
    }
    // Where there are more lines than are kept, the first newline only says where the next line begins.
    var begin = newlines.count > Self.capacity ? start + UInt64(newlines.removeLast()) + 1 : lineStart
    for newline in newlines.reversed() {
      let next = start + UInt64(newline) + 1
      let count = min(next - min(next, begin), UInt64(newline) + 1)
      let line = UnsafeRawBufferPointer(rebasing: bytes[(newline + 1 - Int(count))...newline])
      hashes.append(Self.hash(of: line, length: next - min(next, begin)))
      begin = next
      end = next
    }
    hashes.removeFirst(max(0, hashes.count - Self.capacity))
  }

  /// The hash of a line with its newline.
  ///
  /// - Parameters:
  ///   - bytes: the last of it, of a line that is not longer than ``TailMark/limit`` all.
  ///   - length: bytes of the whole line.
  static func hash(of bytes: UnsafeRawBufferPointer, length: UInt64) -> UInt32 {
    let hash = ContentHash.of(UnsafeRawBufferPointer(rebasing: bytes.suffix(TailMark.limit))) ^ length
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// The last of them, as a file of positions has them.
  var saved: LastLines { LastLines(hashes: hashes.suffix(Self.savedCapacity), end: end) }

  /// How often each is there.
  var counts: [UInt32: Int] { Dictionary(hashes.map { ($0, 1) }, uniquingKeysWith: +) }

  /// True if a file that has the same bytes up to here, from its start on, can only be a copy.
  package var areTelling: Bool { counts.values.count { $0 == 1 } >= Self.proof }
}

/// A place after a line, with the bytes before it.
package struct TailPlace: Hashable, Sendable {
  package var mark: TailMark
  package var lines: LastLines

  /// The start of every file.
  static let start = TailPlace(mark: .start, lines: LastLines())

  package init(mark: TailMark, lines: LastLines) {
    self.mark = mark
    self.lines = lines
  }

  /// The place behind bytes that begin at an offset.
  init(behind bytes: UnsafeRawBufferPointer, from start: UInt64) {
    mark = TailMark(in: bytes, start: start, end: bytes.count)
    lines = LastLines(of: bytes, from: start)
  }
}
