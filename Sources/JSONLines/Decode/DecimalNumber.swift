/// A decimal number of at most 24 characters, taken apart eight characters at a time.
///
/// The text lies in three words, its first character in the lowest byte of the first; what is past its end is
/// ignored. Digits are turned into a number by three multiplications per eight of them, and the number into a double
/// by the algorithm of Eisel and Lemire, which rounds correctly.
struct DecimalNumber {
  /// The digits without the point, as a whole number.
  let mantissa: UInt64
  /// How many digits follow the point.
  let fractionDigits: Int
  let isNegative: Bool
  let hasPoint: Bool

  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let points: UInt64 = 0x2E2E_2E2E_2E2E_2E2E
  private static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Reads the text; `nil` if it is no JSON number, has an exponent, or more digits than a word holds.
  @inline(__always)
  init?(_ first: UInt64, _ second: UInt64, _ third: UInt64, count: Int) {
    var words = (first, second, third)
    var digits = count
    isNegative = first & 0xFF == 0x2D
    if isNegative {
      Self.dropByte(&words)
      digits &-= 1
    }
    guard digits > 0, digits <= 24 else { return nil }
    let beginsWithZero = words.0 & 0xFF == 0x30
    let point = Self.removePoint(&words, count: digits)
    hasPoint = point < digits
    let whole = point
    fractionDigits = hasPoint ? digits &- point &- 1 : 0
    if hasPoint {
      digits &-= 1
      guard fractionDigits > 0 else { return nil }
    }
    guard whole > 0, !beginsWithZero || whole == 1 else { return nil }
    guard let value = Self.value(of: words, digits: digits) else { return nil }
    mantissa = value
  }

  @inline(__always)
  private static func dropByte(_ words: inout (UInt64, UInt64, UInt64)) {
    words.0 = words.0 &>> 8 | words.1 &<< 56
    words.1 = words.1 &>> 8 | words.2 &<< 56
    words.2 = words.2 &>> 8
  }

  /// Takes the decimal point out and returns where it stood; `count` if there is none.
  @inline(__always)
  private static func removePoint(_ words: inout (UInt64, UInt64, UInt64), count: Int) -> Int {
    let (a, b, c) = words
    if case let at = firstPoint(a), at < 8 {
      guard at < count else { return count }
      words.0 = without(at, a) | b &<< 56
      words.1 = b &>> 8 | c &<< 56
      words.2 = c &>> 8
      return at
    }
    guard count > 8 else { return count }
    if case let at = firstPoint(b), at < 8 {
      guard at &+ 8 < count else { return count }
      words.1 = without(at, b) | c &<< 56
      words.2 = c &>> 8
      return at &+ 8
    }
    guard count > 16, case let at = firstPoint(c), at < 8, at &+ 16 < count else { return count }
    words.2 = without(at, c)
    return at &+ 16
  }

  /// The index of the first point among eight characters, 8 if there is none.
  @inline(__always)
  private static func firstPoint(_ word: UInt64) -> Int {
    let x = word ^ points
    let found = ~(((x & lows) &+ lows) | x | lows)
    return found.trailingZeroBitCount &>> 3
  }

  /// The word without the byte at an index; the bytes above it move down.
  @inline(__always)
  private static func without(_ index: Int, _ word: UInt64) -> UInt64 {
    let below = (1 as UInt64) &<< UInt64(truncatingIfNeeded: index &* 8) &- 1
    return word & below | (word &>> 8) & ~below
  }

  /// The number that the digits spell; `nil` if one is no digit or the number needs more than a word.
  @inline(__always)
  private static func value(of words: (UInt64, UInt64, UInt64), digits: Int) -> UInt64? {
    if digits <= 8 {
      return eight(words.0 &<< UInt64(truncatingIfNeeded: 64 &- digits &* 8), digits)
    }
    guard let first = eight(words.0, 8) else { return nil }
    if digits <= 16 {
      let rest = digits &- 8
      guard let second = eight(words.1 &<< UInt64(truncatingIfNeeded: 64 &- rest &* 8), rest) else {
        return nil
      }
      return first &* power(rest) &+ second
    }
    let rest = digits &- 16
    guard let second = eight(words.1, 8),
      let third = eight(words.2 &<< UInt64(truncatingIfNeeded: 64 &- rest &* 8), rest)
    else { return nil }
    let upper = first &* 100_000_000 &+ second
    let (product, overflow) = upper.multipliedReportingOverflow(by: power(rest))
    guard !overflow else { return nil }
    let (sum, carry) = product.addingReportingOverflow(third)
    return carry ? nil : sum
  }

  /// The number that `count` digits in the top bytes of a word spell, the bytes below them being zero.
  @inline(__always)
  private static func eight(_ word: UInt64, _ count: Int) -> UInt64? {
    let filler = count == 8 ? 0 : zeros &>> UInt64(truncatingIfNeeded: count &* 8)
    let text = word | filler
    // A byte is a digit if neither taking '0' away nor adding 0x46 touches its top bit.
    guard ((text &+ 0x4646_4646_4646_4646) | (text &- zeros)) & highs == 0 else { return nil }
    var sum = ((text & 0x0F0F_0F0F_0F0F_0F0F) &* 2561) &>> 8
    sum = ((sum & 0x00FF_00FF_00FF_00FF) &* 6_553_601) &>> 16
    return ((sum & 0x0000_FFFF_0000_FFFF) &* 42_949_672_960_001) &>> 32
  }

  /// Ten to a power from 0 to 8.
  @inline(__always)
  private static func power(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    default: 1
    }
  }
}
