import Codecs

/// The value of a sample, parsed from its JSON.
enum ValueText {
  case number(Double)
  /// A whole number beyond ±2⁵³, with its digits.
  case wideInteger(Double, digits: ArraySlice<UInt8>)
  case bool(Bool)
  case null
  case text(ArraySlice<UInt8>)
  case object(ArraySlice<UInt8>)
  case array(ArraySlice<UInt8>)

  /// Reads the JSON of one value, which may be surrounded by white space.
  init(json bytes: [UInt8]) throws(LineFault) {
    self = try bytes.withUnsafeBytes { raw -> Result<ValueText, LineFault> in
      var tokenizer = JSONTokenizer(raw)
      guard let token = tokenizer.token(), tokenizer.finishes() else {
        return .failure(LineFault(.valueNotJSON))
      }
      let value = ValueText(token, of: tokenizer, in: bytes)
      if case .number(let number) = value, !number.isFinite { return .failure(LineFault(.valueOutOfRange)) }
      return .success(value)
    }.get()
  }

  /// - Parameters:
  ///   - tokenizer: The tokenizer that read the token.
  ///   - bytes: The tokenizer's input.
  init(_ token: JSONToken, of tokenizer: JSONTokenizer, in bytes: [UInt8]) {
    switch token {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let digits): self = Self.number(bytes[tokenizer.range(of: digits)])
    case .text(let text):
      self = .text(text.hasEscapes ? text.unescaped[...] : bytes[tokenizer.range(of: text.written)])
    case .object(let json): self = .object(bytes[tokenizer.range(of: json)])
    case .array(let json): self = .array(bytes[tokenizer.range(of: json)])
    }
  }

  /// A number from its digits; infinite if it overflows a double.
  private static func number(_ digits: ArraySlice<UInt8>) -> ValueText {
    if let usual = digits.withUnsafeBytes({ PlainNumber.usual($0) }) { return .number(usual) }
    let text = String(decoding: digits, as: UTF8.self)
    // The grammar is already checked, and Swift parses every such text, so the fallback is never used.
    let value = Double(text) ?? .infinity
    let isWhole = !digits.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    let magnitude = UInt64(text.drop { $0 == "-" })
    let isWide = isWhole && value.isFinite && (magnitude.map { $0 >= 1 << 53 } ?? true)
    return isWide ? .wideInteger(value, digits: digits) : .number(value)
  }

  var kind: SampleKind {
    switch self {
    case .number: .number
    case .wideInteger: .wideInteger
    case .bool: .bool
    case .null: .null
    case .text: .text
    case .object: .object
    case .array: .array
    }
  }

  /// The number, or 0 and 1 for a Boolean.
  var number: Double {
    switch self {
    case .number(let value), .wideInteger(let value, _): value
    case .bool(let value): value ? 1 : 0
    case .null, .text, .object, .array: 0
    }
  }

  var payload: ArraySlice<UInt8> {
    switch self {
    case .wideInteger(_, let bytes), .text(let bytes), .object(let bytes), .array(let bytes): bytes
    case .number, .bool, .null: []
    }
  }
}
