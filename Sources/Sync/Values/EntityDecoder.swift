import Essentials

/// Decodes a ``SyncValue``; no number is rounded on the way, except to a `Float`.
struct EntityDecoder: Decoder, SingleValueDecodingContainer {
  let value: SyncValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: SyncValue].self) }
    return KeyedDecodingContainer(Members(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch([SyncValue].self) }
    return Elements(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
    guard let found: any Decodable = try plain(type) else { return try Row(from: self) }
    guard let row = found as? Row else { throw mismatch(type) }
    return row
  }

  /// The value as one of the types that a member holds; `nil` for a type that decodes itself.
  private func plain(_ type: any Decodable.Type) throws -> (any Decodable)? {
    let found: (any Decodable)?
    switch type {
    case is SyncValue.Type: return value
    case is Bool.Type: if case .bool(let value) = value { found = value } else { found = nil }
    case is String.Type: found = text
    case is Decimal.Type: found = text.flatMap { Decimal(string: $0) }
    case is Data.Type: found = text.flatMap { Data(base64Encoded: $0) }
    case is URL.Type: found = text.flatMap { URL(string: $0) }
    case is Date.Type: found = text.flatMap(DateText.date)
    case let type as any (FixedWidthInteger & Decodable).Type: found = type.exactly(value)
    case let type as any (BinaryFloatingPoint & Decodable).Type: found = type.nearly(value)
    default: return nil
    }
    guard let found else { throw mismatch(type) }
    return found
  }

  private var text: String? { if case .string(let text) = value { text } else { nil } }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "\(value) is no \(type)")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

extension FixedWidthInteger {
  /// The number without a change; `nil` if there is none.
  fileprivate static func exactly(_ value: SyncValue) -> Self? {
    switch value {
    case .int(let whole): Self(exactly: whole)
    case .double(let number): Self(exactly: number)
    default: nil
    }
  }
}

extension BinaryFloatingPoint {
  /// The number; `nil` if there is none, or not exactly this whole one.
  fileprivate static func nearly(_ value: SyncValue) -> Self? {
    switch value {
    case .int(let whole): Self(exactly: whole)
    case .double(let number): Self(number).isFinite ? Self(number) : nil
    default: nil
    }
  }
}

// In both containers, the generic `decode` stands for those of all types.

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: SyncValue]
  let codingPath: [any CodingKey]
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try part(key).decodeNil() }
  func decode<Row: Decodable>(_ type: Row.Type, forKey key: Key) throws -> Row { try part(key).decode(type) }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try part(PlaceKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }

  private func part(_ key: any CodingKey) throws -> EntityDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "there is no member \(key.stringValue)"))
    }
    return EntityDecoder(value: value, codingPath: codingPath + [key])
  }
}

private struct Elements: UnkeyedDecodingContainer {
  let values: [SyncValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  init(values: [SyncValue], codingPath: [any CodingKey]) {
    (self.values, self.codingPath) = (values, codingPath)
  }

  mutating func decodeNil() throws -> Bool {
    guard try part().decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Row: Decodable>(_ type: Row.Type) throws -> Row { try take { try $0.decode(type) } }

  mutating func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) throws -> KeyedDecodingContainer<Inner> {
    try take { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try take { $0 } }

  /// Goes on to the next element only if this one is what it is taken for.
  private mutating func take<Part>(_ body: (EntityDecoder) throws -> Part) throws -> Part {
    let part = try body(part())
    currentIndex += 1
    return part
  }

  private func part() throws -> EntityDecoder {
    let path = codingPath + [PlaceKey(intValue: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        SyncValue.self, .init(codingPath: path, debugDescription: "there are no more elements"))
    }
    return EntityDecoder(value: values[currentIndex], codingPath: path)
  }
}
