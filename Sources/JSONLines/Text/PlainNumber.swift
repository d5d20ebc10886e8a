package import Codecs

/// Parses a JSON number: `DecimalNumber` for the usual ones, the standard library for the rest.
enum PlainNumber {
  /// The number, infinite if it overflows a double; `nil` if the text is not a number.
  static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    usual(text) ?? Double(String(decoding: text, as: UTF8.self))
  }

  /// The number, if it is short and fits a double; `nil` leaves it to the general parser.
  static func usual(_ text: UnsafeRawBufferPointer) -> Double? {
    guard let base = text.baseAddress, !text.isEmpty, text.count <= DecimalNumber.longest else { return nil }
    let slack = DecimalNumber.slack
    let isNegative = text[0] == UInt8(ascii: "-")
    let sign = isNegative ? 1 : 0
    // Digits are read in words, which need slack on both sides.
    return withUnsafeTemporaryAllocation(byteCount: DecimalNumber.longest + 2 * slack, alignment: 16) {
      room -> Double? in
      guard let start = room.baseAddress else { return nil }
      (start + slack).copyMemory(from: base + sign, byteCount: text.count - sign)
      return DecimalNumber.double(start + slack, count: text.count - sign, isNegative: isNegative)
    }
  }
}

extension JSONToken {
  /// The value, if it is a number that fits a double.
  package var number: Double? {
    guard case .number(let digits) = self, let number = PlainNumber.double(digits), number.isFinite else {
      return nil
    }
    return number
  }

  /// The value, if it is a whole number, clamped to the range of `Int`.
  package var integer: Int? {
    guard case .number(let digits) = self else { return nil }
    if let usual = Decimals.integer(digits) { return usual }
    guard let number, number.rounded() == number else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)) ?? Int(exactly: number)
      ?? (number < 0 ? .min : .max)
  }
}
