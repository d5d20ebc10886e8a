import Essentials

extension PropertyValue {
  /// Encodes a value, and keeps the type of its numbers: an `Int` is an integer, and a `Double` of 3 is sent as `3.0`.
  ///
  /// `Date`, `URL`, `UUID`, `Data` and `Decimal` become what they are in `[String: Any]`.
  ///
  /// - Throws: `EncodingError` for a number that is not finite, for more than 64 containers within each other, and for
  ///   more than 4 MiB; and what the value itself throws.
  public init(encoding value: some Encodable) throws {
    let (node, limits) = (EncodedNode(), EncodingLimits())
    try limits.encode(value, to: node, at: [])
    if let failure = limits.failure { throw failure }
    self = node.value
  }
}

extension [String: PropertyValue] {
  /// Encodes a value with members, such as a struct, as properties or traits.
  ///
  /// ```swift
  /// try analytics.track("Song Played", properties: .init(encoding: Song(title: "Long Tall Sally", seconds: 128)))
  /// ```
  ///
  /// - Throws: As ``PropertyValue/init(encoding:)``, and for a value without members.
  public init(encoding value: some Encodable) throws {
    guard case .object(let members) = try PropertyValue(encoding: value) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "properties need members, as a struct has them"))
    }
    self = members
  }
}

/// A value being encoded.
private final class EncodedNode {
  private enum Content {
    case leaf(PropertyValue)
    case array([EncodedNode])
    case object([String: EncodedNode])
  }

  private var content: Content?

  /// The value; one that encodes nothing is an object without members.
  var value: PropertyValue {
    switch content {
    case .leaf(let value): value
    case .array(let nodes): .array(nodes.map(\.value))
    case .object(let nodes): .object(nodes.mapValues(\.value))
    case nil: .object([:])
    }
  }

  var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

  func set(_ value: PropertyValue) { content = .leaf(value) }

  func beginObject() { if case .object = content {} else { content = .object([:]) } }

  func beginArray() { if case .array = content {} else { content = .array([]) } }

  func member(_ name: String) -> EncodedNode {
    guard case .object(var nodes) = content else { return EncodedNode() }
    content = nil
    defer { content = .object(nodes) }
    let node = EncodedNode()
    nodes[name] = node
    return node
  }

  func element() -> EncodedNode {
    guard case .array(var nodes) = content else { return EncodedNode() }
    content = nil
    defer { content = .array(nodes) }
    let node = EncodedNode()
    nodes.append(node)
    return node
  }
}

/// The limits of one encoding, which are those of other properties.
private final class EncodingLimits {
  private var conversion = PropertyConversion()
  /// The first failure of a call that cannot throw.
  private(set) var failure: (any Error)?
  /// Values being encoded within each other, those that wrap another value included.
  private var level = 0

  func encode<Value: Encodable>(_ value: Value, to node: EncodedNode, at path: [any CodingKey]) throws {
    if Self.isLeaf(value) {
      guard let leaf = conversion.value(value, depth: path.count), conversion.leftOut == 0 else {
        throw error(value, path, "not a finite number, or more than the properties of an event may hold")
      }
      return node.set(leaf)
    }
    guard level < 4 * PropertyConversion.depthLimit else {
      throw error(value, path, "a value without an end")
    }
    try checkContainer(value, path)
    level += 1
    defer { level -= 1 }
    try value.encode(to: PropertyEncoder(node: node, limits: self, codingPath: path))
  }

  /// For containers that are asked for without a chance to throw.
  func noteContainer(at path: [any CodingKey]) {
    do { try checkContainer(path.count, path) } catch { failure = failure ?? error }
  }

  private func checkContainer(_ value: Any, _ path: [any CodingKey]) throws {
    guard path.count < PropertyConversion.depthLimit else {
      throw error(value, path, "more than \(PropertyConversion.depthLimit) containers within each other")
    }
    guard conversion.charge(path.last?.stringValue.utf8.count ?? 0) else {
      throw error(value, path, "more than the properties of an event may hold")
    }
  }

  private func error(_ value: Any, _ path: [any CodingKey], _ text: String) -> EncodingError {
    EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: text))
  }

  private static func isLeaf(_ value: Any) -> Bool {
    switch value {
    case is String, is Bool, is Double, is Float, is any FixedWidthInteger, is Date, is URL, is UUID, is Data,
      is Decimal, is PropertyValue:
      value is any PropertyConvertible
    default: false
    }
  }
}

private struct PropertyEncoder: Encoder {
  let node: EncodedNode
  let limits: EncodingLimits
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(KeyedProperties(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return PropertyList(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleProperty(encoder: self) }

  /// The encoder of a container within this one.
  func inner(_ node: EncodedNode, _ key: any CodingKey) -> PropertyEncoder {
    let path = codingPath + [key]
    limits.noteContainer(at: path)
    return PropertyEncoder(node: node, limits: limits, codingPath: path)
  }
}

private struct KeyedProperties<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: PropertyEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.node.member(key.stringValue).set(.null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.limits.encode(value, to: encoder.node.member(key.stringValue), at: codingPath + [key])
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    superEncoder(at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(at: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { superEncoder(at: NamedKey(stringValue: "super")) }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(at: key) }

  private func superEncoder(at key: any CodingKey) -> PropertyEncoder {
    encoder.inner(encoder.node.member(key.stringValue), key)
  }
}

private struct PropertyList: UnkeyedEncodingContainer {
  let encoder: PropertyEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.count }

  private var key: NamedKey { NamedKey(intValue: count) }

  func encodeNil() { encoder.node.element().set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.limits.encode(value, to: encoder.node.element(), at: codingPath + [key])
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    inner.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner.unkeyedContainer() }

  func superEncoder() -> any Encoder { inner }

  private var inner: PropertyEncoder { encoder.inner(encoder.node.element(), key) }
}

private struct SingleProperty: SingleValueEncodingContainer {
  let encoder: PropertyEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.node.set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.limits.encode(value, to: encoder.node, at: codingPath)
  }
}

/// A key that is only a name.
private struct NamedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) { stringValue = String(intValue) }
}
