import Codecs

/// A JSON value: what the members of an entity hold.
///
/// Integers are kept apart from other numbers, so that identifiers and cursors beyond 2^53 survive a round trip.
///
/// Two texts are equal when their bytes are: what Swift calls the same text may be two to a server.
public enum SyncValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([SyncValue])
  case object([String: SyncValue])
}

extension SyncValue: Hashable {
  /// True if both are the same value of the same sort, texts byte by byte.
  public static func == (left: SyncValue, right: SyncValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Takes in the value, texts as their bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(bytesOf: value)
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension SyncValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral
{
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension SyncValue: Codable {
  /// Decodes any JSON value.
  ///
  /// - Throws: `DecodingError` for what is not valid JSON value.
  public init(from decoder: any Decoder) throws {
    self = try JSONTree.decode(
      from: decoder, null: .null, bool: Self.bool, integer: Self.int, number: Self.double,
      text: Self.string, array: Self.array, object: Self.object)
  }

  /// Encodes the value as the JSON that it is.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot express.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
