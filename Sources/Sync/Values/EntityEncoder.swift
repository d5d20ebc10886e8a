import Essentials

/// Encodes as a ``SyncValue``, without a text in between that would round numbers.
struct EntityEncoder: Encoder {
  /// The parts encoded so far; containers of one value share it.
  final class Node {
    enum Content {
      case leaf(SyncValue)
      case array([Node])
      case object([String: Node])
    }

    var content = Content.object([:])

    var value: SyncValue {
      switch content {
      case .leaf(let value): value
      case .array(let nodes): .array(nodes.map(\.value))
      case .object(let nodes): .object(nodes.mapValues(\.value))
      }
    }
  }

  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The value as a member holds it.
  ///
  /// - Throws: `EncodingError` for what none can hold.
  static func value<Row: Encodable>(of row: Row, at path: [any CodingKey]) throws -> SyncValue {
    func refuse(_ reason: String) -> EncodingError {
      .invalidValue(row, .init(codingPath: path, debugDescription: reason))
    }
    switch row {
    case let value as SyncValue: return value
    case let value as Bool: return .bool(value)
    case let value as String: return .string(value)
    case let value as Decimal: return .string(value.description)
    case let value as Data: return .string(value.base64EncodedString())
    case let value as URL: return .string(value.absoluteString)
    case let value as Date:
      guard let text = DateText.text(value) else { throw refuse("a date beyond the years 1 to 9999") }
      return .string(text)
    case let value as any BinaryInteger:
      guard let whole = Int64(exactly: value) else { throw refuse("a whole number beyond Int64") }
      return .int(whole)
    case let value as any BinaryFloatingPoint:
      guard let number = value.exactDouble, number.isFinite else {
        throw refuse("a number that is not finite")
      }
      return .double(number)
    default:
      let encoder = EntityEncoder(node: Node(), codingPath: path)
      try row.encode(to: encoder)
      return encoder.node.value
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([:]) }
    return KeyedEncodingContainer(Members<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = node.content {} else { node.content = .array([]) }
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  /// An encoder of a part.
  func part(_ key: any CodingKey) -> EntityEncoder {
    EntityEncoder(node: Node(), codingPath: codingPath + [key])
  }
}

extension BinaryFloatingPoint {
  /// The same number as `Double`; `nil` if it would be rounded, or is none.
  fileprivate var exactDouble: Double? { Double(exactly: self) }
}

/// The key of an element, or of the part that a superclass encodes.
struct PlaceKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(intValue place: Int) { (stringValue, intValue) = (String(place), place) }
  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
}

// In the three containers, the generic `encode` stands for those of all types.

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: EntityEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { part(key).node.content = .leaf(.null) }

  func encode<Row: Encodable>(_ row: Row, forKey key: Key) throws {
    let value = try EntityEncoder.value(of: row, at: codingPath + [key])
    part(key).node.content = .leaf(value)
  }

  func nestedContainer<Inner: CodingKey>(keyedBy: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<
    Inner
  > {
    part(key).container(keyedBy: Inner.self)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    part(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { part(PlaceKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { part(key) }

  private func part(_ key: any CodingKey) -> EntityEncoder {
    let part = encoder.part(key)
    guard case .object(var nodes) = encoder.node.content else { return part }
    nodes[key.stringValue] = part.node
    encoder.node.content = .object(nodes)
    return part
  }
}

private struct Elements: UnkeyedEncodingContainer {
  let encoder: EntityEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { if case .array(let nodes) = encoder.node.content { nodes.count } else { 0 } }

  func encodeNil() { part().node.content = .leaf(.null) }

  func encode<Row: Encodable>(_ row: Row) throws {
    let value = try EntityEncoder.value(of: row, at: codingPath + [PlaceKey(intValue: count)])
    part().node.content = .leaf(value)
  }

  func nestedContainer<Inner: CodingKey>(keyedBy: Inner.Type) -> KeyedEncodingContainer<Inner> {
    part().container(keyedBy: Inner.self)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { part().unkeyedContainer() }
  func superEncoder() -> any Encoder { part() }

  private func part() -> EntityEncoder {
    let part = encoder.part(PlaceKey(intValue: count))
    guard case .array(let nodes) = encoder.node.content else { return part }
    encoder.node.content = .array(nodes + [part.node])
    return part
  }
}

private struct Single: SingleValueEncodingContainer {
  let encoder: EntityEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.node.content = .leaf(.null) }

  func encode<Row: Encodable>(_ row: Row) throws {
    encoder.node.content = .leaf(try EntityEncoder.value(of: row, at: codingPath))
  }
}
