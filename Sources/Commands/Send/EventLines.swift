import Essentials
import JSONLines
import Platform

/// Reads lines with their positions, a bounded number at a time.
struct EventLines {
  struct Line {
    /// Without the line ending; empty if the line is too long.
    let bytes: ArraySlice<UInt8>
    /// Offset of its first byte.
    let offset: UInt64
    let number: Int
    let isTooLong: Bool
    /// True if it has a line ending; without one, the last line of a file may still be in the middle of being written.
    let isWhole: Bool
  }

  /// Default maximum length of a line in bytes; longer ones are not events.
  static let defaultLongest = 4 << 20

  private let descriptor: Int32
  private let isSeekable: Bool
  /// Ends a wait for a pipe.
  private let stop: WakeSignal
  private let longest: Int
  private var buffer: [UInt8] = []
  /// Buffer for one read.
  private var room = [UInt8](repeating: 0, count: 1 << 18)
  private var start: UInt64
  private var number: Int
  private var isAtEnd = false
  /// Leading bytes of the buffer that are known to contain no line ending.
  private var searched = 0
  /// Offset of an overlong line whose rest is being skipped.
  private var longStart: UInt64?

  init(
    _ descriptor: Int32, isSeekable: Bool, from offset: UInt64, after lines: Int = 0, stop: WakeSignal,
    longest: Int = Self.defaultLongest
  ) {
    self.longest = longest
    self.descriptor = descriptor
    self.isSeekable = isSeekable
    self.stop = stop
    start = offset
    number = lines
  }

  /// The offset after the last line returned.
  var position: UInt64 { start }
  /// The number of lines before that offset, those of earlier runs included.
  var count: Int { number }

  /// The next available lines, at most `limit`; none at the end, and none once the stop was raised.
  ///
  /// Does not wait for a pipe while a whole line is available. A last line without a line ending counts, too: either
  /// its writer is done, or it is not valid JSON.
  mutating func next(_ limit: Int) throws(FileFailure) -> [Line] {
    while true {
      let (lines, used) = cut(limit)
      buffer.removeFirst(used)
      start += UInt64(used)
      if !lines.isEmpty { return lines }
      if isAtEnd { return lastLine() }
      if buffer.count > longest { passLongLine() }
      if !isSeekable, !stop.waits(untilReadable: descriptor) { return [] }
      try fill()
    }
  }

  /// The text after the last line ending.
  private mutating func lastLine() -> [Line] {
    guard longStart != nil || !buffer.isEmpty else { return [] }
    number += 1
    let line = line(0..<buffer.count, isWhole: false)
    start += UInt64(buffer.count)
    (buffer, searched) = ([], 0)
    return [line]
  }

  /// The line at these bytes of the buffer.
  private mutating func line(_ range: Range<Int>, isWhole: Bool) -> Line {
    let isTooLong = longStart != nil || range.count > longest
    defer { longStart = nil }
    return Line(
      bytes: isTooLong ? [] : buffer[range], offset: longStart ?? start + UInt64(range.lowerBound),
      number: number, isTooLong: isTooLong, isWhole: isWhole)
  }

  /// The whole lines of the buffer, at most `limit`.
  private mutating func cut(_ limit: Int) -> (lines: [Line], used: Int) {
    var lines: [Line] = []
    var begin = 0
    while lines.count < limit {
      let from = max(begin, searched)
      let newline = buffer.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[from...]).firstNewline }
      guard let end = newline.map({ from + $0 }) else {
        searched = buffer.count - begin
        return (lines, begin)
      }
      number += 1
      lines.append(line(begin..<end, isWhole: true))
      begin = end + 1
      searched = 0
    }
    return (lines, begin)
  }

  /// Drops the buffered part of an overlong line.
  private mutating func passLongLine() {
    longStart = longStart ?? start
    start += UInt64(buffer.count)
    (buffer, searched) = ([], 0)
  }

  private mutating func fill() throws(FileFailure) {
    let (descriptor, isSeekable, offset) = (descriptor, isSeekable, start + UInt64(buffer.count))
    let count = try room.withUnsafeMutableBytes { room in
      Result { () throws(FileFailure) in
        isSeekable
          ? try Posix.read(descriptor, into: room, at: offset) : try Posix.read(descriptor, into: room)
      }
    }.get()
    buffer += room[..<count]
    isAtEnd = count == 0
  }
}
