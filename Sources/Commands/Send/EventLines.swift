import Essentials
import JSONLines
import Platform

/// Reads lines with their places, a bounded number at a time.
struct EventLines {
  struct Line {
    /// Without its line end; empty where it was too long.
    let bytes: ArraySlice<UInt8>
    /// Where it begins.
    let offset: UInt64
    let number: Int
    let isTooLong: Bool
    /// True if it has a line end: the last line of a file may still be being written.
    let isWhole: Bool
  }

  /// Longer lines are no events.
  static let defaultLongest = 4 << 20

  private let descriptor: Int32
  private let isSeekable: Bool
  /// Ends waiting for a pipe.
  private let stop: WakeSignal
  private let longest: Int
  private var buffer: [UInt8] = []
  /// Room for one read.
  private var room = [UInt8](repeating: 0, count: 1 << 18)
  private var start: UInt64
  private var number: Int
  private var isAtEnd = false
  /// Number of bytes at the beginning of the buffer known to hold no line end.
  private var searched = 0
  /// Where a line began that is too long and whose rest is being passed over.
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

  /// Behind the last line that was taken.
  var position: UInt64 { start }
  /// Lines before that, those of earlier runs included.
  var count: Int { number }

  /// The next lines that are there, at most `limit`; none at the end, and none when the stop was raised.
  ///
  /// Does not wait for a pipe while there is a whole line. A last line without a line end counts too: its writer is done,
  /// or it is not valid JSON.
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

  /// The text after the last line end.
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

  /// Whole lines of the buffer.
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

  /// Forgets the beginning of a line that is too long.
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
