import Codecs

/// The bytes just before an offset: proof that a file is still the one that was read up to there.
///
/// Size alone misses a file that was cut and written again beyond the offset; inode numbers are reused.
package struct TailMark: Hashable, Sendable {
  /// Minimum bytes to recognize a file by; no line of MisterMetrics is shorter.
  package static let length = 64
  /// How far a mark reaches back at least, or to the start of the file: one line may stand at the same place in two files.
  static let reach = 4096
  /// No mark reaches further back than this.
  ///
  /// It begins where a line does, for ends of lines are too much alike; with a half line before the offset, where the line
  /// before that does. Of a longer line it is the end, which proves nothing in another file.
  package static let limit = 64 << 10

  /// Offset behind the last of the bytes.
  package let offset: UInt64
  /// How many there are: whole lines of ``reach`` bytes or more, less near the start of a file, at most ``limit``.
  package let count: Int
  /// The last of them, up to ``length``: by them it is found, by the hash it is known.
  ///
  /// All of them would be too much: each of thousands of files has several marks, and one in the file of positions.
  package let ending: [UInt8]
  /// The hash of all of them, which stays the same from version to version.
  package let hash: UInt64
  /// How the line begins of which they are but the end.
  package private(set) var head: LineHead?

  package init(offset: UInt64, bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { TailMark(offset: offset, of: $0) }
  }

  private init(offset: UInt64, of bytes: UnsafeRawBufferPointer) {
    self.init(
      offset: offset, count: bytes.count, ending: Array(bytes.suffix(Self.length)),
      hash: bytes.isEmpty ? 0 : ContentHash.of(bytes))
  }

  /// A mark as it was kept.
  init(offset: UInt64, count: Int, ending: [UInt8], hash: UInt64, head: LineHead? = nil) {
    self.offset = offset
    self.head = head
    self.count = count
    self.ending = ending
    self.hash = hash
  }

  /// The mark at `end` of a buffer that starts at file offset `start`.
  ///
  /// - Parameter halfLine: bytes before `end` that belong to an unfinished line.
  init(in buffer: UnsafeRawBufferPointer, start: UInt64, end: Int, halfLine: UInt64 = 0) {
    let half = Int(min(halfLine, UInt64(Self.limit)))
    let wanted = min(Self.limit, max(Self.reach, Self.length + half))
    let furthest = max(0, end - Self.limit)
    var begin = furthest
    if end - furthest > wanted {
      let newline = Self.lastNewline(in: buffer, furthest..<(end - wanted))
      // Where nothing was cut off, the buffer begins with the file or with the mark before.
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

  /// True if there are enough bytes to know a file by.
  var isTelling: Bool { count >= Self.length }

  var isEmpty: Bool { count == 0 }

  /// Where the bytes begin in the file.
  package var start: UInt64 { offset - UInt64(count) }

  /// The same with the beginning of a line that begins before them.
  func with(head: LineHead?) -> TailMark {
    var mark = self
    mark.head = head
    return mark
  }

  /// True if a buffer begins with the bytes.
  func matches(prefixOf buffer: UnsafeRawBufferPointer) -> Bool {
    guard buffer.count >= count, buffer[(count - ending.count)..<count].elementsEqual(ending) else {
      return false
    }
    return isEmpty || ContentHash.of(UnsafeRawBufferPointer(rebasing: buffer[..<count])) == hash
  }
}

/// The first bytes of a line that is too long for a mark: they often have the time, while the rest may be alike.
package struct LineHead: Hashable, Sendable {
  static let length = 4096

  /// Where the line begins.
  let start: UInt64
  /// The hash of the first ``length`` bytes.
  let hash: UInt64

  /// Where the bytes are.
  var range: Range<UInt64> { start..<start + UInt64(Self.length) }

  init(start: UInt64, hash: UInt64) {
    self.start = start
    self.hash = hash
  }

  /// The head of a line that begins with some bytes; `nil` of too few.
  init?(start: UInt64, of bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.length else { return nil }
    self.init(start: start, hash: ContentHash.of(UnsafeRawBufferPointer(rebasing: bytes[..<Self.length])))
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
    // Keep the head and the newest half; of the older half every second one.
    let half = marks.count / 2
    marks = marks.enumerated()
      .filter { $0.offset < Self.headCount || $0.offset >= half || $0.offset % 2 == 0 }
      .map(\.element)
  }

  /// True if a mark is that of one of the first lines, with which another file may begin as well.
  func isHead(_ mark: TailMark) -> Bool { marks.prefix(Self.headCount).contains(mark) }

  /// True if a file of this size whose bytes fit at this mark, but at none behind it, is the beginning of the file.
  ///
  /// An equal first line proves nothing if there are more.
  func isPrefix(_ size: UInt64, endingBehind mark: TailMark) -> Bool {
    last(within: size) == mark && (mark != marks.first || size == mark.offset)
  }

  mutating func cut(after offset: UInt64) {
    marks.removeAll { $0.offset > offset }
  }
}
