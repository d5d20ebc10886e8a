import Codecs

/// A value of an event's properties, traits or integrations.
///
/// Literals of every kind make one, and keep their kind on the way to the server: `3` is an integer, `3.0` is
/// not, `true` is neither.
///
/// ```swift
/// analytics.track("Order Placed", properties: ["id": "A-17", "total": 12.5, "gift": true, "items": ["tea", "cup"]])
/// ```
///
/// JSON has no NaN and no infinity: a number that is not finite is not sent, but counted.
public enum PropertyValue: Sendable, Hashable {
  /// Text.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction; only finite ones are sent.
  case double(Double)
  /// True or false.
  case bool(Bool)
  /// Values in their order.
  case array([PropertyValue])
  /// Values by name.
  case object([String: PropertyValue])
  /// Nothing, said as such.
  case null
}

extension PropertyValue: ExpressibleByStringInterpolation {
  /// A text.
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}

extension PropertyValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension PropertyValue: ExpressibleByFloatLiteral {
  /// A number with a fraction.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }
}

extension PropertyValue: ExpressibleByBooleanLiteral {
  /// True or false.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension PropertyValue: ExpressibleByArrayLiteral {
  /// Values in their order.
  public init(arrayLiteral elements: PropertyValue...) {
    self = .array(elements)
  }
}

extension PropertyValue: ExpressibleByDictionaryLiteral {
  /// Values by name; of one name that is there twice the last counts.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}

extension PropertyValue: ExpressibleByNilLiteral {
  /// Nothing, said as such.
  public init(nilLiteral: ()) {
    self = .null
  }
}

/// As plain JSON.
///
/// Foundation's coders write a whole `double` without a point and read it back as an `integer`; events are written with
/// the point.
extension PropertyValue: Codable {
  /// Reads any JSON value.
  public init(from decoder: any Decoder) throws {
    self = try JSONTree.decode(
      from: decoder, null: .null, bool: Self.bool, integer: Self.integer, number: Self.double,
      text: Self.text, array: Self.array, object: Self.object)
  }

  /// Writes the value alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    case .null: try container.encodeNil()
    }
  }
}
