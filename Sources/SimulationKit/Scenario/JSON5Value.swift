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

extension JSON5Value: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .whole(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSON5Value].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSON5Value].self))
    }
  }

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

extension JSON5Value {
  /// Reads a text; the failure says where it is no JSON5.
  package init(json5 text: String) throws(ScenarioError) {
    guard !text.utf8.contains(0) else { throw ScenarioError(place: "", text: "this is not valid UTF-8") }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    guard let value = try? decoder.decode(JSON5Value.self, from: JSON5Text.joined(text)) else {
      throw ScenarioError(place: "", text: "this is not JSON5")
    }
    self = value
  }
}
