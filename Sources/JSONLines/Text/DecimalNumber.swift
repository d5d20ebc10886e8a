/// A decimal number without an exponent, parsed eight characters at a time.
///
/// Eight digits become a number in three multiplications, and the number becomes a double by the Eisel-Lemire
/// algorithm, which rounds correctly.
struct DecimalNumber {
  /// The digits without the point, as a whole number.
  let mantissa: UInt64
  /// Number of digits after the point; 0 for a whole number.
  let fractionDigits: Int

  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let points: UInt64 = 0x2E2E_2E2E_2E2E_2E2E
  private static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let highs: UInt64 = 0x8080_8080_8080_8080
  /// Bytes that must be readable before the text and after its end.
  static let slack = 16
  /// Maximum number of characters.
  static let longest = 24

  @inline(__always)
  init(mantissa: UInt64, fractionDigits: Int) {
    self.mantissa = mantissa
    self.fractionDigits = fractionDigits
  }

  /// Reads an unsigned number; `nil` if the text is not a JSON number, or has more digits than a word can hold.
  ///
  /// - Parameters:
  ///   - text: `count` characters, with `slack` readable bytes on both sides.
  ///   - tens: The powers of ten from 0 to 16.
  @inline(__always)
  init?(_ text: UnsafeRawPointer, count: Int, tens: UnsafePointer<UInt64>) {
    guard count > 0, count <= Self.longest else { return nil }
    var point = Self.firstPoint(text.loadUnaligned(as: UInt64.self))
    if point == 8, count > 8 {
      point = 8 &+ Self.firstPoint(text.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    let hasPoint = point < min(count, 16)
    let whole = hasPoint ? point : count
    fractionDigits = hasPoint ? count &- point &- 1 : 0
    guard whole > 0, whole <= 16, !hasPoint || fractionDigits > 0 else { return nil }
    // A leading 0 is valid only as the single digit before the point.
    guard whole == 1 || text.load(as: UInt8.self) != 0x30 else { return nil }
    var invalid: UInt64 = 0
    var value = Self.digits(text + whole, whole, &invalid)
    if hasPoint {
      let end = text + count
      guard fractionDigits <= 16 else {
        guard value == 0, let long = Self.long(end, fractionDigits, &invalid), invalid & Self.highs == 0
        else { return nil }
        mantissa = long
        return
      }
      let (scaled, overflow) = value.multipliedReportingOverflow(by: tens[fractionDigits])
      let (sum, carry) = scaled.addingReportingOverflow(Self.digits(end, fractionDigits, &invalid))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    guard invalid & Self.highs == 0 else { return nil }
    mantissa = value
  }

  /// The value of eight digits, the first in the lowest byte; `nil` if one is not a digit.
  @inline(__always)
  static func eightDigits(_ text: UInt64) -> UInt64? {
    var invalid: UInt64 = 0
    let value = value(of: text, &invalid)
    return invalid & highs == 0 ? value : nil
  }

  /// The powers of ten from 0 to 16.
  static let tens: [UInt64] = (0...16).reduce(into: []) { tens, _ in
    tens.append((tens.last ?? 0) &* 10 | (tens.isEmpty ? 1 : 0))
  }

  /// The index of the first point among eight characters, 8 if there is none.
  @inline(__always)
  private static func firstPoint(_ word: UInt64) -> Int {
    let x = word ^ points
    let found = ~(((x & lows) &+ lows) | x | lows)
    return found.trailingZeroBitCount &>> 3
  }

  /// The value of the 1 to 16 digits before `end`.
  @inline(__always)
  private static func digits(_ end: UnsafeRawPointer, _ count: Int, _ invalid: inout UInt64) -> UInt64 {
    let low = eight(end, min(count, 8), &invalid)
    guard count > 8 else { return low }
    return eight(end - 8, count &- 8, &invalid) &* 100_000_000 &+ low
  }

  /// The value of the 17 to 23 digits before `end`; `nil` if it does not fit.
  @inline(__always)
  private static func long(_ end: UnsafeRawPointer, _ count: Int, _ invalid: inout UInt64) -> UInt64? {
    let upper = eight(end - 16, count &- 16, &invalid)
    guard upper < 1844 else { return nil }
    return upper &* 10_000_000_000_000_000 &+ digits(end, 16, &invalid)
  }

  /// The value of the 1 to 8 digits before `end`; sets a top bit in `invalid` if one is not a digit.
  @inline(__always)
  private static func eight(_ end: UnsafeRawPointer, _ count: Int, _ invalid: inout UInt64) -> UInt64 {
    let others = (1 as UInt64) &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8) &- 1
    return value(of: (end - 8).loadUnaligned(as: UInt64.self) & ~others | zeros & others, &invalid)
  }

  @inline(__always)
  private static func value(of text: UInt64, _ invalid: inout UInt64) -> UInt64 {
    // A byte is a digit if neither subtracting '0' nor adding 0x46 touches its top bit.
    invalid |= (text &+ 0x4646_4646_4646_4646) | (text &- zeros) | text
    var sum = ((text & 0x0F0F_0F0F_0F0F_0F0F) &* 2561) &>> 8
    sum = ((sum & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
    return ((sum & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
  }
}
