import Codecs

/// The bytes just before an offset: proof that a file is still the one that was read up to there.
///
/// Size alone misses a file that was truncated and rewritten past the offset, and inode numbers are reused.
package struct TailMark: Hashable, Sendable {
  /// Minimum number of bytes that identify a file; no MisterMetrics line is shorter.
  package static let length = 64
  /// Minimum distance that a mark reaches back, unless the file is shorter: two files may have the same line at the
  /// same offset.
  static let reach = 4096
  /// Maximum distance that a mark reaches back.
  ///
  /// It starts at a line start, because line ends are too similar; with a half line before the offset, at the start of
  /// the line before that. For a longer line it is the end of that line, which proves nothing in another file.
  package static let limit = 64 << 10

  /// Offset after the last of the bytes.
  package let offset: UInt64
  /// Number of bytes: whole lines of ``reach`` bytes or more, fewer near the start of a file, at most ``limit``.
  package let count: Int
  /// The last of the bytes, up to ``length``: they find the place, the hash confirms it.
  ///
  /// Storing all bytes would take too much room: each of thousands of files has several marks, and one in the position
  /// file.
  package let ending: [UInt8]
  /// The hash of all bytes, which is stable across versions.
  package let hash: UInt64
  /// The start of the line, if the bytes are only the end of a long one.
  package private(set) var head: LineHead?

  package init(offset: UInt64, bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { TailMark(offset: offset, of: $0) }
  }

  private init(offset: UInt64, of bytes: UnsafeRawBufferPointer) {
    self.init(
      offset: offset, count: bytes.count, ending: Array(bytes.suffix(Self.length)),
      hash: bytes.isEmpty ? 0 : ContentHash.of(bytes))
  }

  /// A mark that was saved.
  init(offset: UInt64, count: Int, ending: [UInt8], hash: UInt64, head: LineHead? = nil) {
    self.offset = offset
    self.head = head
    self.count = count
    self.ending = ending
    self.hash = hash
  }

  /// The mark at `end` of a buffer that starts at file offset `start`.
  ///
  /// - Parameter halfLine: Bytes before `end` that belong to an incomplete line.
  init(in buffer: UnsafeRawBufferPointer, start: UInt64, end: Int, halfLine: UInt64 = 0) {
    let half = Int(min(halfLine, UInt64(Self.limit)))
    let wanted = min(Self.limit, max(Self.reach, Self.length + half))
    let furthest = max(0, end - Self.limit)
    var begin = furthest
    if end - furthest > wanted {
      let newline = Self.lastNewline(in: buffer, furthest..<(end - wanted))
      // If nothing was cut off, the buffer starts with the file or with the previous mark.
      let later =
        furthest == 0 ? nil : Self.lastNewline(in: buffer, furthest..<max(furthest, end - Self.length - half))
      begin = (newline ?? later).map { $0 + 1 } ?? furthest
    }
    self.init(
      offset: start + UInt64(end),
      of: UnsafeRawBufferPointer(rebasing: buffer[begin..<end]))
  }

  private static func lastNewline(in buffer: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    UnsafeRawBufferPointer(rebasing: buffer[range]).lastNewline.map { range.lowerBound + $0 }
  }

  /// True if there are enough bytes to identify a file.
  var isTelling: Bool { count >= Self.length }

  var isEmpty: Bool { count == 0 }

  /// Offset of the first byte in the file.
  package var start: UInt64 { offset - UInt64(count) }

  /// The same mark, with the head of the line that starts before it.
  func with(head: LineHead?) -> TailMark {
    var mark = self
    mark.head = head
    return mark
  }

  /// True if a buffer starts with the bytes.
  func matches(prefixOf buffer: UnsafeRawBufferPointer) -> Bool {
    guard buffer.count >= count, buffer[(count - ending.count)..<count].elementsEqual(ending) else {
      return false
    }
    return isEmpty || ContentHash.of(UnsafeRawBufferPointer(rebasing: buffer[..<count])) == hash
  }
}

/// The first bytes of a line that is too long for a mark: they usually include the time, while the rest may be equal.
package struct LineHead: Hashable, Sendable {
  static let length = 4096

  /// Offset of the line's start.
  let start: UInt64
  /// The hash of the first ``length`` bytes.
  let hash: UInt64

  /// Range of the bytes in the file.
  var range: Range<UInt64> { start..<start + UInt64(Self.length) }

  init(start: UInt64, hash: UInt64) {
    self.start = start
    self.hash = hash
  }

  /// The head of a line from its first bytes; `nil` if there are too few.
  init?(start: UInt64, of bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.length else { return nil }
    self.init(start: start, hash: ContentHash.of(UnsafeRawBufferPointer(rebasing: bytes[..<Self.length])))
  }
}

/// Marks at line starts throughout a file, dense near the end and sparser before it.
package struct TailMarkTrail: Hashable, Sendable {
  static let capacity = 16
  /// Number of lines at the start whose ends are always kept.
  static let headCount = 2

  package private(set) var marks: [TailMark] = []

  package init() {}

  package var last: TailMark? { marks.last }

  /// The last mark that fits in a file of the given size.
  package func last(within size: UInt64) -> TailMark? {
    marks.last { $0.offset <= size }
  }

  /// Marks the ends of the first two lines: files may start with the same line, but hardly with the same two.
  ///
  /// - Parameter mark: Makes the mark after a line, from the line's start and end in the bytes.
  mutating func markHead(of bytes: UnsafeRawBufferPointer, mark: (Range<Int>) -> TailMark) {
    var begin = 0
    while marks.count < Self.headCount,
      let newline = UnsafeRawBufferPointer(rebasing: bytes[begin...]).firstNewline
    {
      let end = begin + newline + 1
      append(mark(begin..<end))
      begin = end
    }
  }

  mutating func append(_ mark: TailMark) {
    if let last = marks.last, last.offset >= mark.offset { return }
    marks.append(mark)
    guard marks.count > Self.capacity else { return }
    // Keep the head and the newest half; of the older half, every second mark.
    let half = marks.count / 2
    marks = marks.enumerated()
      .filter { $0.offset < Self.headCount || $0.offset >= half || $0.offset % 2 == 0 }
      .map(\.element)
  }

  /// True if a mark belongs to one of the first lines, with which another file may start as well.
  func isHead(_ mark: TailMark) -> Bool { marks.prefix(Self.headCount).contains(mark) }

  /// True if a file of this size that matches this mark, and none after it, is a prefix of this file.
  ///
  /// An equal first line proves nothing if the file has more lines.
  func isPrefix(_ size: UInt64, endingBehind mark: TailMark) -> Bool {
    last(within: size) == mark && (mark != marks.first || size == mark.offset)
  }

  mutating func cut(after offset: UInt64) {
    marks.removeAll { $0.offset > offset }
  }
}
