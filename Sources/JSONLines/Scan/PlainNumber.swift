package import Codecs

/// A JSON number by its text: the usual ones by `DecimalNumber`, all others by the standard library.
enum PlainNumber {
  private static let longest = 24

  /// The number, infinite where no double holds it; `nil` if the text is none.
  static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    usual(text) ?? Double(String(decoding: text, as: UTF8.self))
  }

  /// The number if it has no exponent and is held exactly enough by a double; `nil` leaves it to others.
  static func usual(_ text: UnsafeRawBufferPointer) -> Double? {
    guard let base = text.baseAddress, text.count <= longest else { return nil }
    let slack = DecimalNumber.slack
    let isNegative = text[0] == UInt8(ascii: "-")
    let sign = isNegative ? 1 : 0
    // The digits are read in words, for which there must be room on both sides.
    return withUnsafeTemporaryAllocation(byteCount: longest + 2 * slack, alignment: 16) { room -> Double? in
      guard let start = room.baseAddress else { return nil }
      (start + slack).copyMemory(from: base + sign, byteCount: text.count - sign)
      return DecimalNumber.tens.withUnsafeBufferPointer { tens in
        PowersOfFive.words.withUnsafeBufferPointer { powers -> Double? in
          guard let tens = tens.baseAddress, let powers = powers.baseAddress,
            let number = DecimalNumber(start + slack, count: text.count - sign, tens: tens),
            number.fractionDigits > 0 || number.mantissa < 1 << 53
          else { return nil }
          return number.double(isNegative: isNegative, powers: powers)
        }
      }
    }
  }
}

extension JSONToken {
  /// A number that a double holds.
  package var number: Double? {
    guard case .number(let digits) = self, let number = PlainNumber.double(digits), number.isFinite else {
      return nil
    }
    return number
  }

  /// A number that is whole; beyond what an integer holds, the largest or the smallest one.
  package var integer: Int? {
    guard case .number(let digits) = self else { return nil }
    if let usual = Decimals.integer(digits) { return usual }
    guard let number, number.rounded() == number else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)) ?? Int(exactly: number)
      ?? (number < 0 ? .min : .max)
  }
}
