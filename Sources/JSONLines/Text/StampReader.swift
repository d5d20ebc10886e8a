/// Reads time stamps in the format they have between 2004 and 2032: nine digits, a point and one to eight digits.
struct StampReader {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let fractions: UInt64 = 100_000_000

  /// The character that follows a time stamp; no digit.
  var end: UInt8 = 0x2C

  /// The first ten characters of the last time stamp; the next one usually starts with the same.
  private var text: UInt64 = 0
  private var tail: UInt16 = 0
  /// Their value in seconds, times 2 to the `shift`.
  private var whole: UInt64 = 0
  /// Number of fraction bits of a double of this magnitude.
  private var shift: UInt64 = 0
  /// The value of the last fraction bit.
  private var unit = 0.0

  /// Reads a time stamp up to its end; `nil` leaves it to the slower reader.
  ///
  /// - Parameter stamp: Followed by at least 19 readable bytes.
  @inline(__always)
  mutating func read(_ stamp: UnsafeRawPointer) -> (time: Double, count: Int)? {
    let word = stamp.loadUnaligned(fromByteOffset: 10, as: UInt64.self)
    let other = word ^ Self.ones &* UInt64(end)
    let found = (other &- Self.ones) & ~other & Self.highs
    var bits: UInt64 = 64
    var behind: UInt64 = 0
    if found != 0 {
      bits = UInt64(truncatingIfNeeded: found.trailingZeroBitCount & 0x38)
      behind = ~0 &<< bits
    } else if stamp.load(fromByteOffset: 18, as: UInt8.self) != end {
      return nil
    }
    guard bits != 0, let fraction = DecimalNumber.eightDigits(word & ~behind | Self.zeros & behind),
      stamp.loadUnaligned(as: UInt64.self) == text
        && stamp.loadUnaligned(fromByteOffset: 8, as: UInt16.self) == tail || renew(stamp)
    else { return nil }
    // The nearest multiple of the double's last bit, computed exactly in integers, ties to even.
    let scaled = fraction &<< shift &+ Self.fractions / 2
    var rounded = scaled / Self.fractions
    if rounded &* Self.fractions == scaled { rounded &= ~1 }
    return (Double(whole &+ rounded) * unit, 10 &+ Int(truncatingIfNeeded: bits &>> 3))
  }

  /// Parses the seconds; `false` if they are not nine digits and a point.
  @inline(never)
  private mutating func renew(_ stamp: UnsafeRawPointer) -> Bool {
    let word = stamp.loadUnaligned(as: UInt64.self)
    let ninth = UInt64(stamp.load(fromByteOffset: 8, as: UInt8.self) &- 0x30)
    guard let eight = DecimalNumber.eightDigits(word), eight >= 10_000_000, ninth < 10,
      stamp.load(fromByteOffset: 9, as: UInt8.self) == 0x2E
    else { return false }
    let seconds = eight * 10 + ninth
    text = word
    tail = stamp.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    shift = UInt64(seconds.leadingZeroBitCount - 11)
    whole = seconds << shift
    unit = 1 / Double(UInt64(1) << shift)
    return true
  }
}
