import Codecs
import Platform

/// The bytes just before an offset: proof that a file is still the one that was read up to there.
///
/// Size alone misses a file that was cut and written anew beyond the offset; inode numbers are reused.
package struct TailMark: Hashable, Sendable {
  /// What is too little to know a file by; no line of MisterMetrics is shorter.
  package static let length = 64
  /// No mark reaches further back than this.
  ///
  /// It begins where a line does, for ends of lines are too much alike; with a half line before the offset, where the line
  /// before that does.
  package static let limit = 4096

  /// Offset behind the last of the bytes.
  package private(set) var offset: UInt64
  /// How many there are: whole lines of ``length`` bytes or more, less near the start of a file, at most ``limit``.
  package let count: Int
  /// The last of them, up to ``length``: by them it is found, by the hash it is known.
  ///
  /// All of them would be too much: each of thousands of files has several marks, and one in the file of positions.
  package let ending: [UInt8]
  /// The hash of all of them, which stays the same from version to version.
  package let hash: UInt64

  package init(offset: UInt64, bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { TailMark(offset: offset, of: $0) }
  }

  private init(offset: UInt64, of bytes: UnsafeRawBufferPointer) {
    self.init(
      offset: offset, count: bytes.count, ending: Array(bytes.suffix(Self.length)),
      hash: bytes.isEmpty ? 0 : ContentHash.of(bytes))
  }

  /// A mark as it was kept.
  init(offset: UInt64, count: Int, ending: [UInt8], hash: UInt64) {
    self.offset = offset
    self.count = count
    self.ending = ending
    self.hash = hash
  }

  /// The mark at `end` of a buffer that starts at file offset `start`.
  ///
  /// - Parameter halfLine: bytes before `end` that belong to an unfinished line.
  init(in buffer: UnsafeRawBufferPointer, start: UInt64, end: Int, halfLine: UInt64 = 0) {
    let count = min(Self.limit, Self.length + Int(min(halfLine, UInt64(Self.limit))))
    let furthest = max(0, end - Self.limit)
    let before = buffer[furthest..<max(furthest, end - count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    self.init(
      offset: start + UInt64(end),
      of: UnsafeRawBufferPointer(rebasing: buffer[(lineStart ?? furthest)..<end]))
  }

  /// The mark at an offset of a file, whose bytes before that are read.
  init(at offset: UInt64, reading: (Range<UInt64>) throws(FileFailure) -> [UInt8]) throws(FileFailure) {
    let start = offset - min(offset, UInt64(Self.limit))
    let bytes = try reading(start..<offset)
    self = bytes.withUnsafeBytes { TailMark(in: $0, start: start, end: $0.count) }
  }

  /// Whether there are enough bytes to know a file by.
  var isTelling: Bool { count >= Self.length }

  var isEmpty: Bool { count == 0 }

  /// Where the bytes begin in the file.
  package var start: UInt64 { offset - UInt64(count) }

  /// The same bytes at another place.
  func moved(to offset: UInt64) -> TailMark {
    var mark = self
    mark.offset = offset
    return mark
  }

  /// Whether a buffer begins with the bytes.
  func matches(prefixOf buffer: UnsafeRawBufferPointer) -> Bool {
    guard buffer.count >= count, buffer[(count - ending.count)..<count].elementsEqual(ending) else {
      return false
    }
    return isEmpty || ContentHash.of(UnsafeRawBufferPointer(rebasing: buffer[..<count])) == hash
  }
}

/// Marks at line starts through a file, dense near the end and thinner before it.
package struct TailMarkTrail: Hashable, Sendable {
  static let capacity = 16
  /// Lines at the start whose ends are always kept.
  static let headCount = 2

  package private(set) var marks: [TailMark] = []

  package init() {}

  package var last: TailMark? { marks.last }

  /// The last mark that fits in a file of the given size.
  package func last(within size: UInt64) -> TailMark? {
    marks.last { $0.offset <= size }
  }

  /// Marks the ends of the first two lines: files may begin with the same line, but hardly with the same two.
  ///
  /// - Parameter mark: makes the mark behind so many of the bytes.
  mutating func markHead(of bytes: UnsafeRawBufferPointer, mark: (Int) -> TailMark) {
    var end = 0
    while marks.count < Self.headCount,
      let newline = UnsafeRawBufferPointer(rebasing: bytes[end...]).firstNewline
    {
      end += newline + 1
      append(mark(end))
    }
  }

  mutating func append(_ mark: TailMark) {
    if let last = marks.last, last.offset >= mark.offset { return }
    marks.append(mark)
    guard marks.count > Self.capacity else { return }
    // Keep the head and the newest half; of the older half every second one.
    let half = marks.count / 2
    marks = marks.enumerated()
      .filter { $0.offset < Self.headCount || $0.offset >= half || $0.offset % 2 == 0 }
      .map(\.element)
  }

  /// Whether a file of this size whose bytes fit at this mark, but at none behind it, is the beginning of the file.
  ///
  /// That it begins with the same line proves nothing if there is more.
  func isPrefix(_ size: UInt64, endingBehind mark: TailMark) -> Bool {
    last(within: size) == mark && (mark != marks.first || size == mark.offset)
  }

  mutating func cut(after offset: UInt64) {
    marks.removeAll { $0.offset > offset }
  }
}
