/// Any JSON value: what payloads, scenarios and configurations are read from.
///
/// Whole numbers stay exact: addresses take all 64 bits, which a `Double` does not hold.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A whole number above `Int64.max`; smaller ones are always an `integer`.
  case unsigned(UInt64)
  /// The digits of a whole number of more than 64 bits.
  case wide(String)
  /// A number that was written with a fraction or an exponent; NaN or infinite in JSON5 alone.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// A whole number in the one form that equals what is read.
  package init(_ value: UInt64) {
    self = Int64(exactly: value).map(JSONValue.integer) ?? .unsigned(value)
  }

  /// The kind in a person's words.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned, .wide, .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The fields of an object.
  package var fields: [String: JSONValue]? {
    if case .object(let fields) = self { fields } else { nil }
  }

  /// The elements of an array.
  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text of a string.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, whole or not.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .wide(let digits): Double(digits)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }
}

extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .wide(let digits): try container.encode(Double(digits))
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let fields): try container.encode(fields)
    }
  }
}
