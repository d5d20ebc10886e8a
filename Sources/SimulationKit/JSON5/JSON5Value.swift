import Essentials

/// Any value of a scenario's file.
///
/// Whole numbers are kept apart from others, so that seeds beyond 2^53 survive.
package enum JSON5Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case whole(Int64)
  case number(Double)
  case text(String)
  case list([JSON5Value])
  case object([String: JSON5Value])
}

extension JSON5Value {
  /// The value as a number, whole or not.
  package var number: Double? {
    switch self {
    case .whole(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSON5Value: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .whole(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}
