/// Decimal digits as programs read and write them.
package enum Decimals {
  /// A number as text, without decimals if it is an integer.
  package static func text(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? String(number)
  }

  /// Appends the shortest decimal that reads back as the same number; integers without a decimal point.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    // Most are integers, which format in a third of the time; -0.0 has no integer counterpart.
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53, whole != 0 {
      return bytes.append(contentsOf: whole.description.utf8)
    }
    var text = number.description
    text.withUTF8 { utf8 in
      let isWhole = utf8.suffix(2).elementsEqual(".0".utf8)
      bytes.append(contentsOf: isWhole ? UnsafeBufferPointer(rebasing: utf8.dropLast(2)) : utf8)
    }
  }

  /// Appends the last digits of a nonnegative number, padded with zeros.
  package static func append(last count: Int, of number: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count))
    var rest = number
    for index in (start..<start + count).reversed() where rest > 0 {
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// The last digits of a nonnegative number, padded with zeros to a width.
  package static func padded(_ number: Int, to width: Int) -> String {
    var digits: [UInt8] = []
    append(last: width, of: number, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Parses an integer of at most eighteen digits; `nil` for any other text.
  package static func integer(_ text: UnsafeRawBufferPointer) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative ? 1 : 0)
    guard !digits.isEmpty, digits.count <= 18, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      return nil
    }
    var value = 0
    for digit in digits {
      guard case let number = Int(digit) - 48, 0...9 ~= number else { return nil }
      value = value &* 10 &+ number
    }
    return isNegative ? -value : value
  }
}

/// Hexadecimal digits.
package enum Hexadecimal {
  /// All digits of an integer: two for a byte, sixteen for 64 bits.
  package static func text(_ word: some FixedWidthInteger & UnsignedInteger) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: word.bitWidth / 4 - digits.count) + digits
  }
}
