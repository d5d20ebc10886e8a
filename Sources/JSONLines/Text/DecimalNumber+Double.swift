extension DecimalNumber {
  /// The nearest double to the text of an unsigned number; `nil` if it is not a JSON number, has too many digits, or is
  /// a whole number that a double may not hold.
  ///
  /// - Parameter text: As for `init`.
  static func double(_ text: UnsafeRawPointer, count: Int, isNegative: Bool) -> Double? {
    tens.withUnsafeBufferPointer { tens in
      PowersOfFive.words.withUnsafeBufferPointer { powers -> Double? in
        guard let tens = tens.baseAddress, let powers = powers.baseAddress else { return nil }
        guard let number = DecimalNumber(text, count: count, tens: tens) else {
          return withExponent(text, count, isNegative, tens, powers)
        }
        guard number.fractionDigits > 0 || number.mantissa < 1 << 53 else { return nil }
        return number.double(isNegative: isNegative, powers: powers)
      }
    }
  }

  /// A number with an exponent of up to three digits; `nil` if it is none.
  @inline(never)
  private static func withExponent(
    _ text: UnsafeRawPointer, _ count: Int, _ isNegative: Bool, _ tens: UnsafePointer<UInt64>,
    _ powers: UnsafePointer<UInt64>
  ) -> Double? {
    let all = UnsafeRawBufferPointer(start: text, count: min(count, longest))
    guard count == all.count, let mark = all.lastIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      let number = DecimalNumber(text, count: mark, tens: tens)
    else { return nil }
    var digits = all[(mark + 1)...]
    let isSmall = digits.first == UInt8(ascii: "-")
    if isSmall || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard 1...3 ~= digits.count, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    let power = digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    let exponent = (isSmall ? -power : power) - number.fractionDigits
    guard number.mantissa != 0 else { return isNegative ? -0.0 : 0 }
    guard PowersOfFive.exponents.contains(exponent) else { return nil }
    return scaled(number.mantissa, exponent, isNegative, powers)
  }

  /// The nearest double, ties to even; `nil` outside the range of the power table.
  ///
  /// - Parameter powers: `PowersOfFive.words`, passed in so that the caller fetches it once for many numbers.
  @inline(__always)
  func double(isNegative: Bool, powers: UnsafePointer<UInt64>) -> Double? {
    guard mantissa != 0 else { return isNegative ? -0.0 : 0 }
    if fractionDigits == 0, mantissa <= 1 << 53 {
      let value = Double(mantissa)
      return isNegative ? -value : value
    }
    let exponent = -fractionDigits
    guard PowersOfFive.exponents.contains(exponent) else { return nil }
    return Self.scaled(mantissa, exponent, isNegative, powers)
  }

  /// `mantissa × 10^exponent`, correctly rounded, for an exponent in the table and a mantissa above 0 (Lemire 2021,
  /// algorithm 1; the tie rule of section 6).
  @inline(__always)
  static func scaled(
    _ mantissa: UInt64, _ exponent: Int, _ isNegative: Bool, _ powers: UnsafePointer<UInt64>
  ) -> Double {
    let shift = mantissa.leadingZeroBitCount
    let normal = mantissa &<< UInt64(truncatingIfNeeded: shift)
    let row = (exponent &- PowersOfFive.exponents.lowerBound) &* 2
    var (high, low) = normal.multipliedFullWidth(by: powers[row])
    if high & 0x1FF == 0x1FF {
      let second = normal.multipliedFullWidth(by: powers[row &+ 1]).high
      let (sum, carry) = low.addingReportingOverflow(second)
      low = sum
      if carry { high &+= 1 }
    }
    let top = high &>> 63
    let cut = top &+ 9
    var bits = high &>> cut
    // Of the two bits below the last place only the upper one is left; the lowest bit distinguishes a tie from a larger
    // remainder.
    if low <= 1 { bits = rounded(bits, toEvenIf: bits &<< cut == high, exponent) }
    bits = (bits &+ (bits & 1)) &>> 1
    // 217706 / 65536 approximates log₂ 10 closely enough for every exponent in the table, which holds only powers far
    // from both ends of a double's range. The leading bit adds one, and so does a carry from rounding.
    let power = (217_706 &* exponent) >> 16 &+ 62 &+ Int(truncatingIfNeeded: top) &- shift &+ 1023
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    return Double(bitPattern: sign | ((UInt64(truncatingIfNeeded: power) &<< 52) &+ bits))
  }

  @inline(never)
  private static func rounded(_ bits: UInt64, toEvenIf isTie: Bool, _ exponent: Int) -> UInt64 {
    isTie && exponent >= -4 && exponent <= 23 && bits & 3 == 1 ? bits & ~1 : bits
  }
}
