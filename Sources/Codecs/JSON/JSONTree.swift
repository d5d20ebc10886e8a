/// The coding that types which hold any JSON share.
package enum JSONTree {
  /// Decodes any JSON value with the cases of a type.
  ///
  /// - Throws: `DecodingError` for what is not a valid JSON value.
  package static func decode<Value: Decodable>(
    from decoder: any Decoder, null: Value, bool: (Bool) -> Value, integer: (Int64) -> Value,
    number: (Double) -> Value, text: (String) -> Value, array: ([Value]) -> Value,
    object: ([String: Value]) -> Value
  ) throws -> Value {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return null }
    if let value = try? container.decode(Bool.self) { return bool(value) }
    if let value = try? container.decode(Int64.self) { return integer(value) }
    if let value = try? container.decode(Double.self) { return number(value) }
    if let value = try? container.decode(String.self) { return text(value) }
    if let value = try? container.decode([Value].self) { return array(value) }
    return object(try container.decode([String: Value].self))
  }
}
