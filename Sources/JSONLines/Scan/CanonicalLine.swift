/// Where the parts of a line lie that has the shape in which `MetricEntry` is written.
///
/// The line is taken apart from its end, where the parts are short. Nothing is allocated or copied.
struct CanonicalLine {
  /// The length of the head: `{"metric":{…},"timestamp":`.
  let headCount: Int
  /// Where the time stamp ends; it begins behind the head.
  let timeEnd: Int
  /// Where the Base64 of the value begins; it ends two bytes before the line does.
  let valueStart: Int

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  /// `,"value"` in the order of memory.
  private static let valueKey: UInt64 = 0x2265_756C_6176_222C
  /// `"}` in the order of memory.
  private static let lineEnd: UInt16 = 0x7D22
  /// The shortest line: a head, one digit of time, `,"value":"`, four characters of value, `"}`.
  private static let minimumCount = HeadTable.minimumCount + 1 + 10 + 4 + 2

  /// Takes a line of `count` bytes (without its newline) apart; `nil` if it does not look canonical.
  ///
  /// What the parts hold is not looked at: the head must be known, the time and the value still be decoded.
  @inline(__always)
  init?(_ line: UnsafeRawPointer, count: Int) {
    guard count >= Self.minimumCount,
      line.loadUnaligned(fromByteOffset: count &- 2, as: UInt16.self) == Self.lineEnd
    else { return nil }
    guard let quote = Self.last(0x22, line, before: count &- 2, notBefore: HeadTable.minimumCount &+ 9) else {
      return nil
    }
    let keyStart = quote &- 9
    guard line.loadUnaligned(fromByteOffset: keyStart, as: UInt64.self) == Self.valueKey,
      line.load(fromByteOffset: quote &- 1, as: UInt8.self) == 0x3A
    else { return nil }
    guard let colon = Self.last(0x3A, line, before: keyStart, notBefore: HeadTable.minimumCount &- 1) else {
      return nil
    }
    headCount = colon &+ 1
    timeEnd = keyStart
    valueStart = quote &+ 1
  }

  /// The index of the last occurrence of a byte in front of `end`, looked for eight bytes at a time.
  @inline(__always)
  private static func last(_ byte: UInt8, _ line: UnsafeRawPointer, before end: Int, notBefore start: Int)
    -> Int?
  {
    let pattern = ones &* UInt64(byte)
    var position = end &- 8
    while position >= start &- 8 {
      let word = line.loadUnaligned(fromByteOffset: position, as: UInt64.self) ^ pattern
      let found = ~(((word & ~highs) &+ ~highs) | word | ~highs)
      if found != 0 {
        let index = position &+ 7 &- found.leadingZeroBitCount &>> 3
        return index >= start ? index : nil
      }
      position &-= 8
    }
    return nil
  }
}
