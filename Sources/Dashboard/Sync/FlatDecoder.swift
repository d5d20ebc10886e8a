import Foundation
import JSONLines

/// Decodes flat values from small JSON objects many times as fast as Foundation's decoder.
///
/// What it does not take in at once is left to Foundation's decoder, which has the last word on what can be read.
enum FlatDecoder {
  /// The value; `nil` where the JSON is none.
  static func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) -> Value? {
    if let value = json.withUnsafeBytes({ quick(type, from: $0) }) { return value }
    do { return try JSONDecoder().decode(type, from: Data(json)) } catch { return nil }
  }

  private static func quick<Value: Decodable>(_ type: Value.Type, from json: UnsafeRawBufferPointer) -> Value?
  {
    if type == Int.self { return FlatObject.integer(json) as? Value }
    guard let object = FlatObject(json) else { return nil }
    do { return try Value(from: ObjectDecoder(object: object)) } catch { return nil }
  }
}

/// What the quick way does not read; only says so, for nobody reads why.
private struct NotPlain: Error {}

private struct ObjectDecoder: Decoder {
  let object: FlatObject

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members(object: object))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotPlain() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NotPlain() }
}

/// The members of an object by their names.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: FlatObject

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { object.place(of: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { object.isNull(at: try place(key)) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try found(object.bool(at: place(key))) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try found(object.text(at: place(key)))
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try found(object.number(at: place(key)))
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try found(object.integer(at: place(key))) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: MemberDecoder(object: object, place: place(key)))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try present(key).map { try found(object.bool(at: $0)) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key).map { try found(object.text(at: $0)) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try present(key).map { try found(object.number(at: $0)) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try present(key).map { try found(object.integer(at: $0)) }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { throw NotPlain() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NotPlain() }
  func superDecoder() throws -> any Decoder { throw NotPlain() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw NotPlain() }

  private func place(_ key: Key) throws -> Int { try found(object.place(of: key.stringValue)) }

  /// The place of a member that is there and not null.
  private func present(_ key: Key) -> Int? {
    object.place(of: key.stringValue).flatMap { object.isNull(at: $0) ? nil : $0 }
  }
}

/// One member that is a value of its own type, such as a name out of a list.
private struct MemberDecoder: Decoder, SingleValueDecodingContainer {
  let object: FlatObject
  let place: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NotPlain()
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotPlain() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { object.isNull(at: place) }
  func decode(_ type: Bool.Type) throws -> Bool { try found(object.bool(at: place)) }
  func decode(_ type: String.Type) throws -> String { try found(object.text(at: place)) }
  func decode(_ type: Double.Type) throws -> Double { try found(object.number(at: place)) }
  func decode(_ type: Int.Type) throws -> Int { try found(object.integer(at: place)) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw NotPlain() }
}

private func found<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw NotPlain() }
  return value
}

// Widths of numbers that no recorded value has.
extension Members {
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw NotPlain() }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw NotPlain() }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { throw NotPlain() }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { throw NotPlain() }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { throw NotPlain() }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw NotPlain() }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw NotPlain() }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw NotPlain() }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw NotPlain() }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw NotPlain() }
}

extension MemberDecoder {
  func decode(_ type: Float.Type) throws -> Float { throw NotPlain() }
  func decode(_ type: Int8.Type) throws -> Int8 { throw NotPlain() }
  func decode(_ type: Int16.Type) throws -> Int16 { throw NotPlain() }
  func decode(_ type: Int32.Type) throws -> Int32 { throw NotPlain() }
  func decode(_ type: Int64.Type) throws -> Int64 { throw NotPlain() }
  func decode(_ type: UInt.Type) throws -> UInt { throw NotPlain() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { throw NotPlain() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { throw NotPlain() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { throw NotPlain() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { throw NotPlain() }
}
