import Essentials

/// Decodes flat values from small JSON objects, many times as fast as Foundation's decoder.
///
/// Everything else is left to Foundation's decoder, which decides what can be read.
package enum FlatDecoder {
  /// Decodes a value; `nil` if the JSON does not contain one.
  package static func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) -> Value? {
    if let value = json.withUnsafeBytes({ decodeFlat(type, from: $0) }) { return value }
    do { return try JSONDecoder().decode(type, from: Data(json)) } catch { return nil }
  }

  private static func decodeFlat<Value: Decodable>(
    _ type: Value.Type, from json: UnsafeRawBufferPointer
  ) -> Value? {
    if type == Int.self { return Decimals.integer(json) as? Value }
    guard let object = FlatObject(json) else { return nil }
    do { return try Value(from: ObjectDecoder(object: object)) } catch { return nil }
  }
}

/// The value is not flat; never thrown beyond this file.
private struct NotFlat: Error {}

extension JSONToken {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }

  fileprivate func bool() throws -> Bool {
    guard case .bool(let value) = self else { throw NotFlat() }
    return value
  }

  fileprivate func string() throws -> String {
    guard case .text(let text) = self else { throw NotFlat() }
    return text.string
  }

  fileprivate func double() throws -> Double {
    guard case .number(let digits) = self, let value = Double(String(decoding: digits, as: UTF8.self)),
      value.isFinite
    else { throw NotFlat() }
    return value
  }

  fileprivate func integer() throws -> Int {
    guard case .number(let digits) = self, let value = Decimals.integer(digits) else { throw NotFlat() }
    return value
  }
}

private struct ObjectDecoder: Decoder {
  let object: FlatObject

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members(object: object))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotFlat() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotFlat() }
}

/// The members of an object by name.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: FlatObject

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).double() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).integer() }
  // Also called for numbers of other widths, which are not flat.
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: MemberDecoder(token: member(key)))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key)?.bool() }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key)?.string() }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.double() }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.integer() }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { throw NotFlat() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NotFlat() }
  func superDecoder() throws -> any Decoder { throw NotFlat() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw NotFlat() }

  private func member(_ key: Key) throws -> JSONToken {
    guard let token = object[key.stringValue] else { throw NotFlat() }
    return token
  }

  /// A member that exists and is not null.
  private func present(_ key: Key) -> JSONToken? {
    object[key.stringValue].flatMap { $0.isNull ? nil : $0 }
  }
}

/// One member whose value has a type of its own, such as a case of an enumeration.
private struct MemberDecoder: Decoder, SingleValueDecodingContainer {
  let token: JSONToken

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NotFlat()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotFlat() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { token.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try token.bool() }
  func decode(_ type: String.Type) throws -> String { try token.string() }
  func decode(_ type: Double.Type) throws -> Double { try token.double() }
  func decode(_ type: Int.Type) throws -> Int { try token.integer() }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw NotFlat() }
}
