/// The JSON of a value, taken apart.
enum ValueText {
  case number(Double)
  /// A whole number beyond ±2⁵³ with its digits.
  case wideInteger(Double, digits: ArraySlice<UInt8>)
  case bool(Bool)
  case null
  case text(ArraySlice<UInt8>)
  case object(ArraySlice<UInt8>)
  case array(ArraySlice<UInt8>)

  /// Reads the JSON of one value, with white space around it.
  init(json bytes: [UInt8]) throws(LineFault) {
    self = try bytes.withUnsafeBytes { raw -> Result<ValueText, LineFault> in
      var cursor = JSONCursor(raw)
      cursor.skipWhitespace()
      let start = cursor.position
      let parsed = Self.value(&cursor, bytes)
      let end = cursor.position
      cursor.skipWhitespace()
      guard let parsed, cursor.isAtEnd else { return .failure(LineFault(.valueNotJSON)) }
      switch parsed {
      case .object: return .success(.object(bytes[start..<end]))
      case .array: return .success(.array(bytes[start..<end]))
      case .number(let value) where !value.isFinite: return .failure(LineFault(.valueOutOfRange))
      default: return .success(parsed)
      }
    }.get()
  }

  /// Reads the value under the cursor, of an object or an array no more than that it is one; `nil` where there is none.
  ///
  /// - Parameter bytes: What the cursor walks over.
  static func value(_ cursor: inout JSONCursor, _ bytes: [UInt8]) -> ValueText? {
    switch cursor.byte {
    case UInt8(ascii: "t"): return cursor.literal("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return cursor.literal("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return cursor.literal("null") ? .null : nil
    case UInt8(ascii: "{"): return cursor.skipValue() ? .object([]) : nil
    case UInt8(ascii: "["): return cursor.skipValue() ? .array([]) : nil
    case UInt8(ascii: "\""):
      return cursor.string().map { text in
        .text(text.hasEscapes ? text.unescaped(in: cursor.bytes)[...] : bytes[text.range])
      }
    default: return cursor.number().map { number(bytes[$0]) }
    }
  }

  /// A number by its digits; infinite where no double holds it.
  static func number(_ digits: ArraySlice<UInt8>) -> ValueText {
    if let usual = digits.withUnsafeBytes({ PlainNumber.usual($0) }) { return .number(usual) }
    let text = String(decoding: digits, as: UTF8.self)
    // The grammar is proven; Swift reads every such text, so the fallback is never taken.
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

  /// The number, or 0 and 1 for a truth value.
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
