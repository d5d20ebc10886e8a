import Essentials
import Platform

/// Reads lines whose heads are known.
struct CanonicalReader {
  let base: UnsafeRawPointer
  /// Number of valid bytes.
  let count: Int
  /// Number of readable bytes from `base` on; those past `count` are meaningless.
  let readable: Int
  let heads: HeadTable.Pointers
  let numbers: NumberGroups

  /// Bytes read past a head, whatever they are: a time stamp, `,"value":"`, a number.
  private static let tail = 24 + 10 + NumberGroups.room
  /// Minimum bytes left in the chunk for a line to be read here.
  static let room = HeadTable.minimumCount + tail

  /// `dHJ1ZQ==`, `ZmFsc2U=` and `bnVsbA==` (true, false, null) in memory order.
  private static let yes: UInt64 = 0x3D3D_515A_314A_4864
  private static let no: UInt64 = 0x3D55_3263_7346_6D5A
  private static let null: UInt64 = 0x3D3D_4162_7356_6E62
  // `,"value":"` in memory order.
  private static let valueKey: UInt64 = 0x2265_756C_6176_222C
  private static let valueKeyEnd: UInt16 = 0x223A
  /// `"}` and a newline in memory order, followed by any byte.
  private static let lineEnd: UInt32 = 0x0A_7D22

  /// Reads lines whose values are numbers, Booleans or `null`, and stops at the first other value.
  @inline(__always)
  func read(
    _ run: inout CanonicalRun, into out: UnsafeMutablePointer<Sample>, capacity: Int, offset: UInt64
  ) -> CanonicalRun.Stop {
    var stamps = StampReader()
    while run.count < capacity {
      let room = readable &- run.position &- Self.tail
      guard run.position < count, room >= HeadTable.minimumCount else { return .other }
      let line = base + run.position
      guard let head = heads.head(of: line, room: room) ?? headFromEnd(line, room: room) else {
        return .other
      }
      let stamp = line + head.count
      guard let (time, timeCount) = stamps.read(stamp) ?? Self.otherTime(stamp, numbers.powers),
        stamp.loadUnaligned(fromByteOffset: timeCount, as: UInt64.self) == Self.valueKey,
        stamp.loadUnaligned(fromByteOffset: timeCount &+ 8, as: UInt16.self) == Self.valueKeyEnd
      else { return .other }
      let text = stamp + (timeCount &+ 10)
      var kind = SampleKind.number
      var value = 0.0
      var length = 8
      if let number = numbers.read(text) {
        (value, length) = (number.value, number.length)
      } else if let word = Self.word(text) {
        (kind, value) = word
      } else {
        return other(text, head.metric, time)
      }
      let next = text + (length &+ 3)
      // The word may reach past the last valid byte; those bytes must not count.
      guard text.loadUnaligned(fromByteOffset: length, as: UInt32.self) & 0xFF_FFFF == Self.lineEnd,
        next - base <= count
      else { return other(text, head.metric, time) }
      out[run.count] = Sample(
        time: Timestamp(time), value: value, offset: offset &+ UInt64(truncatingIfNeeded: run.position),
        payloadStart: 0,
        payloadCount: 0, metric: head.metric, kind: kind)
      run.count &+= 1
      run.lines &+= 1
      run.position = next - base
    }
    return .full
  }

  /// The kind and number for the Base64 of a Boolean or of `null`.
  @inline(__always)
  private static func word(_ text: UnsafeRawPointer) -> (SampleKind, Double)? {
    switch text.loadUnaligned(as: UInt64.self) {
    case yes: (.bool, 1)
    case no: (.bool, 0)
    case null: (.null, 0)
    default: nil
    }
  }

  /// A line with any other value, if its end is canonical.
  @inline(never)
  private func other(_ text: UnsafeRawPointer, _ metric: MetricID, _ time: Double) -> CanonicalRun.Stop {
    let start = text - base
    // In a half line at the end of the valid bytes, the value may seem to start past them, in leftover bytes.
    guard start < count, let newline = memchr(text, 0x0A, count &- start) else { return .other }
    let end = UnsafeRawPointer(newline) - 2
    guard end >= text, end.loadUnaligned(as: UInt16.self) == UInt16(truncatingIfNeeded: Self.lineEnd) else {
      return .other
    }
    return .value(.init(metric: metric, time: time, range: start..<end - base))
  }

  /// The head of a line whose prefix several metrics share, found from the end of the line.
  @inline(never)
  private func headFromEnd(_ line: UnsafeRawPointer, room: Int) -> (metric: MetricID, count: Int)? {
    guard let newline = memchr(line, 0x0A, room),
      let parts = CanonicalLine(line, count: UnsafeRawPointer(newline) - line), parts.headCount <= room,
      let metric = heads.metric(of: line, count: parts.headCount)
    else { return nil }
    return (metric, parts.headCount)
  }

  /// A time stamp of unusual length, with its number of characters.
  @inline(never)
  private static func otherTime(_ stamp: UnsafeRawPointer, _ powers: UnsafePointer<UInt64>) -> (Double, Int)?
  {
    guard let comma = memchr(stamp, 0x2C, 25) else { return nil }
    let count = UnsafeRawPointer(comma) - stamp
    return DecimalNumber.tens.withUnsafeBufferPointer { tens -> (Double, Int)? in
      guard let tens = tens.baseAddress,
        let time = DecimalNumber(stamp, count: count, tens: tens)?.double(isNegative: false, powers: powers)
      else { return nil }
      return (time, count)
    }
  }
}
