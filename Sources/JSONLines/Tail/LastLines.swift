import Codecs

/// The last complete lines before a place, identified by their hashes.
///
/// One line that also occurs in another file proves little: the same counter is often written several times a second. A
/// run of otherwise unique lines proves much.
package struct LastLines: Hashable, Sendable {
  /// Maximum number of lines; of ten lines in the same second, nine may be equal.
  static let capacity = 64
  /// Maximum number of lines in a position file.
  static let savedCapacity = 32
  /// Number of unique lines that prove a copy: no other program writes that many of them a second time.
  static let proof = 4

  /// Oldest first.
  package private(set) var hashes: [UInt32]
  /// Offset after the last line.
  package private(set) var end: UInt64

  package init(hashes: [UInt32] = [], end: UInt64 = 0) {
    self.hashes = hashes
    self.end = end
  }

  /// The lines that end in the bytes before an offset.
  ///
  /// - Parameter start: Offset of the bytes in the file; unless it is 0, the partial first line is left out.
  package init(of bytes: UnsafeRawBufferPointer, from start: UInt64) {
    self.init(end: start)
    let first = start == 0 ? 0 : bytes.firstNewline.map { $0 + 1 } ?? bytes.count
    append(bytes, at: start, payload: first, lineStart: start + UInt64(first))
  }

  /// Adds the lines that end in a buffer.
  ///
  /// - Parameters:
  ///   - start: The offset of the buffer in the file. The buffer includes at least the last ``TailMark/limit`` bytes of
  ///     a line that started earlier.
  ///   - payload: The start of the new bytes; those before were already seen.
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
    // If there are more lines than are kept, the first newline only marks the start of the next line.
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

  /// The hash of a line, newline included.
  ///
  /// - Parameters:
  ///   - bytes: The end of the line; all of it if it is not longer than ``TailMark/limit``.
  ///   - length: Length of the whole line in bytes.
  static func hash(of bytes: UnsafeRawBufferPointer, length: UInt64) -> UInt32 {
    let hash = ContentHash.of(UnsafeRawBufferPointer(rebasing: bytes.suffix(TailMark.limit))) ^ length
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// The last lines, as a position file stores them.
  var saved: LastLines { LastLines(hashes: hashes.suffix(Self.savedCapacity), end: end) }

  /// Number of occurrences of each line.
  var counts: [UInt32: Int] { Dictionary(hashes.map { ($0, 1) }, uniquingKeysWith: +) }

  /// True if a file with the same bytes from its start up to here can only be a copy.
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

  /// The place after bytes that start at an offset.
  init(behind bytes: UnsafeRawBufferPointer, from start: UInt64) {
    mark = TailMark(in: bytes, start: start, end: bytes.count)
    lines = LastLines(of: bytes, from: start)
  }
}
