extension JSONValue {
  /// Reads one value.
  ///
  /// Foundation's readers do not serve here: on Linux a diagnostic of 15 MB takes them over ten seconds until it is in
  /// Swift's types, and they tell no line and column. Of duplicate keys the last counts.
  ///
  /// - Parameters:
  ///   - bytes: The JSON; text that is not UTF-8 is repaired, and a byte order mark at the start is skipped.
  ///   - position: Where the value begins; moves behind it.
  package init(_ bytes: [UInt8], at position: inout Int) throws(JSONSyntaxError) {
    self = try bytes.withUnsafeBytes { raw -> Result<JSONValue, JSONSyntaxError> in
      var tokenizer = JSONTokenizer(raw, at: position, repairsText: true)
      if position == 0 { position = Self.start(of: bytes) }
      tokenizer.position = position
      guard let value = JSONValue(&tokenizer) else {
        return .failure(
          tokenizer.error ?? JSONSyntaxError(reason: .expected("a value"), offset: tokenizer.position))
      }
      position = tokenizer.position
      return .success(value)
    }.get()
  }

  /// Reads bytes that are one value and nothing else.
  package init(_ bytes: [UInt8]) throws(JSONSyntaxError) {
    var position = 0
    self = try JSONValue(bytes, at: &position)
    guard bytes[position...].allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else {
      throw JSONSyntaxError(reason: .expected("the end"), offset: position)
    }
  }

  /// Where JSON begins that may have a byte order mark.
  package static func start(of bytes: [UInt8]) -> Int {
    bytes.hasByteOrderMark ? 3 : 0
  }

  private init?(_ tokenizer: inout JSONTokenizer) {
    tokenizer.skipWhitespace()
    switch tokenizer.byte {
    case UInt8(ascii: "{"):
      var fields: [String: JSONValue] = [:]
      let isObject = tokenizer.members { tokenizer, key in
        guard let value = JSONValue(&tokenizer) else { return false }
        fields[key.string] = value
        return true
      }
      guard isObject else { return nil }
      self = .object(fields)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      let isArray = tokenizer.elements { tokenizer in
        guard let value = JSONValue(&tokenizer) else { return false }
        elements.append(value)
        return true
      }
      guard isArray else { return nil }
      self = .array(elements)
    default:
      let start = tokenizer.position
      switch tokenizer.token() {
      case .null: self = .null
      case .bool(let value): self = .bool(value)
      case .text(let text): self = .string(text.string)
      case .number(let digits):
        guard let value = JSONValue(digits: digits) else {
          tokenizer.fail(.numberTooLarge, at: start)
          return nil
        }
        self = value
      case .object, .array, nil: return nil
      }
    }
  }

  /// A number; `nil` where no double holds it.
  private init?(digits: UnsafeRawBufferPointer) {
    if let value = Decimals.integer(digits), value != 0 || digits.count == 1 {
      self = .integer(Int64(value))
      return
    }
    let text = String(decoding: digits, as: UTF8.self)
    // Minus zero is not an integer.
    if text != "-0", let value = Int64(text) {
      self = .integer(value)
    } else if let value = UInt64(text) {
      self = .unsigned(value)
    } else if let value = Double(text), value.isFinite {
      let isWhole = text != "-0" && !text.utf8.contains { ".eE".utf8.contains($0) }
      self = isWhole ? .wide(text) : .number(value)
    } else {
      return nil
    }
  }
}
