import Codecs

extension ReadingContext {
  /// A field of an object; `nil` if it is absent or not understood.
  mutating func read<Value>(
    _ key: String, of fields: [String: JSONValue], _ codec: FieldCodec<Value>
  ) -> Value? {
    guard let value = fields[key], value != .null else { return nil }
    return at(key) { codec.read(value, &$0) }
  }
}
