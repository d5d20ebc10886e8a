extension JSONParser {
  /// The number that begins here; whole ones exactly.
  mutating func number() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let whole = try digits()
    if whole.count > 1, whole.startsWithZero {
      position = start
      throw failure(.badNumber)
    }
    let isWhole = try !passFraction()
    if isWhole, let value = whole.value, let exact = Self.integer(value, isNegative: isNegative) {
      return exact
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw JSONSyntaxError(reason: .numberTooLarge, offset: start)
    }
    return .number(value)
  }

  private static func integer(_ value: UInt64, isNegative: Bool) -> JSONValue? {
    guard isNegative else { return JSONValue(value) }
    // Minus zero is no integer.
    if value == 0 { return nil }
    if value == Int64.min.magnitude { return .integer(.min) }
    return Int64(exactly: value).map { .integer(-$0) }
  }

  /// Passes digits, at least one; their value unless it is too large.
  private mutating func digits() throws(JSONSyntaxError) -> (value: UInt64?, count: Int, startsWithZero: Bool)
  {
    let start = position
    var value: UInt64? = 0
    while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      value = value.flatMap { $0.adding(digit: byte - UInt8(ascii: "0")) }
      position += 1
    }
    guard position > start else { throw failure(.badNumber) }
    return (value, position - start, bytes[start] == UInt8(ascii: "0"))
  }

  /// Passes a fraction and an exponent; whether there was one.
  private mutating func passFraction() throws(JSONSyntaxError) -> Bool {
    let start = position
    if byte == UInt8(ascii: ".") {
      position += 1
      _ = try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      _ = try digits()
    }
    return position > start
  }
}

extension JSONParser {
  /// The text that begins here with its quotation mark; bytes that are no UTF-8 become U+FFFD.
  mutating func string() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw failure(.controlCharacter)
      default: position += 1
      }
    }
    throw failure(.endsTooEarly)
  }

  private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var text = Array(bytes[start..<position])
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        position += 1
        try appendEscape(to: &text)
      case 0..<0x20: throw failure(.controlCharacter)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw failure(.endsTooEarly)
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(JSONSyntaxError) {
    guard let byte else { throw failure(.endsTooEarly) }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      position += 1
      text.append(contentsOf: String(try scalar()).utf8)
      return
    default: throw failure(.badEscape)
    }
    position += 1
  }

  /// The character of one escape or of a pair; half a pair becomes U+FFFD.
  private mutating func scalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let mark = position
    if UTF16.isLeadSurrogate(first), bytes[position...].starts(with: [0x5C, UInt8(ascii: "u")]) {
      position += 2
      let second = try hexadecimal()
      if UTF16.isTrailSurrogate(second) {
        return Unicode.Scalar(0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF)) ?? "\u{FFFD}"
      }
      position = mark
    }
    return "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = byte.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw failure(.badEscape)
      }
      value = value << 4 | UInt16(truncatingIfNeeded: digit)
      position += 1
    }
    return value
  }
}

extension UInt64 {
  /// Ten times this and a digit, unless that is too large.
  fileprivate func adding(digit: UInt8) -> UInt64? {
    let (tens, tooMany) = multipliedReportingOverflow(by: 10)
    let (sum, tooLarge) = tens.addingReportingOverflow(UInt64(digit))
    return tooMany || tooLarge ? nil : sum
  }
}
