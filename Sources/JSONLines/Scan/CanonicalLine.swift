/// Positions of the parts of a line in the canonical layout, the one in which `MetricEntry` is written.
///
/// The line is parsed from its end, where the parts are short. Nothing is allocated or copied.
struct CanonicalLine {
  /// The length of the head: `{"metric":{…},"timestamp":`.
  let headCount: Int
  /// Offset of the end of the time stamp, which starts right after the head.
  let timeEnd: Int
  /// Offset of the value's Base64, which ends two bytes before the line does.
  let valueStart: Int

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  /// `,"value"` in memory order.
  private static let valueKey: UInt64 = 0x2265_756C_6176_222C
  /// `"}` in memory order.
  private static let lineEnd: UInt16 = 0x7D22
  /// Length of the shortest line: a head, a one-digit time, `,"value":"`, four characters of value, `"}`.
  static let minimumCount = HeadTable.minimumCount + 1 + 10 + 4 + 2

  /// Splits a line of `count` bytes (without its newline) into its parts; `nil` if it does not look canonical.
  ///
  /// The parts are not validated: the caller still looks up the head and decodes the time and the value.
  @inline(__always)
  init?(_ line: UnsafeRawPointer, count: Int) {
    guard count >= Self.minimumCount,
      line.loadUnaligned(fromByteOffset: count &- 2, as: UInt16.self) == Self.lineEnd
    else { return nil }
    // Numbers and keywords are short; strings and structs are scanned eight bytes at a time.
    var quote = Self.lastInWindow(0x22, line, before: count &- 2)
    if quote < 0 {
      quote = Self.last(0x22, line, before: count &- 34, notBefore: HeadTable.minimumCount &+ 9)
    }
    let keyStart = quote &- 9
    guard keyStart > HeadTable.minimumCount,
      line.loadUnaligned(fromByteOffset: keyStart, as: UInt64.self) == Self.valueKey,
      line.load(fromByteOffset: quote &- 1, as: UInt8.self) == 0x3A
    else { return nil }
    let colon = Self.lastInWindow(0x3A, line, before: keyStart)
    guard colon >= HeadTable.minimumCount &- 1 else { return nil }
    headCount = colon &+ 1
    timeEnd = keyStart
    valueStart = quote &+ 1
  }

  /// The index of the last occurrence of a byte in the 32 bytes before `end`, or -1 if there is none.
  ///
  /// Branch-free: the length of a value or a time stamp is unpredictable, and a mispredicted branch costs more.
  @inline(__always)
  private static func lastInWindow(_ byte: UInt8, _ line: UnsafeRawPointer, before end: Int) -> Int {
    let pattern = ones &* UInt64(byte)
    let start = line + (end &- 32)
    var mask = UInt64(matches(start.loadUnaligned(as: UInt64.self) ^ pattern))
    mask |= matches(start.loadUnaligned(fromByteOffset: 8, as: UInt64.self) ^ pattern) &<< 8
    mask |= matches(start.loadUnaligned(fromByteOffset: 16, as: UInt64.self) ^ pattern) &<< 16
    mask |= matches(start.loadUnaligned(fromByteOffset: 24, as: UInt64.self) ^ pattern) &<< 24
    guard mask != 0 else { return -1 }
    return end &- 32 &+ 63 &- mask.leadingZeroBitCount
  }

  /// One bit for each zero byte of a word; the lowest bit stands for the first byte.
  @inline(__always)
  private static func matches(_ word: UInt64) -> UInt64 {
    let found = ~(((word & ~highs) &+ ~highs) | word | ~highs)
    return ((found &>> 7) &* 0x0102_0408_1020_4080) &>> 56
  }

  /// The index of the last occurrence of a byte between `start` and `end`, or -1 if there is none.
  @inline(never)
  private static func last(_ byte: UInt8, _ line: UnsafeRawPointer, before end: Int, notBefore start: Int)
    -> Int
  {
    var position = end &- 1
    while position >= start {
      if line.load(fromByteOffset: position, as: UInt8.self) == byte { return position }
      position &-= 1
    }
    return -1
  }
}
