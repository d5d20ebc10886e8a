/// Tells whether a line's head is one that may stand for a metric from now on.
enum CanonicalHead {
  /// Whether the bytes are `{"metric":{`, an optional bucket, a name and a type as JSON strings, `},"timestamp":`,
  /// and nothing else.
  ///
  /// Only then does any line that begins with the same bytes name the same metric and close what the head opened.
  static func isWellFormed(_ head: UnsafeRawBufferPointer) -> Bool {
    var cursor = JSONCursor(head)
    guard cursor.literal("{\"metric\":{") else { return false }
    if cursor.literal("\"bucket\":") {
      guard cursor.string() != nil, cursor.take(UInt8(ascii: ",")) else { return false }
    }
    guard cursor.literal("\"name\":"), cursor.string() != nil, cursor.literal(",\"valueTypeString\":"),
      cursor.string() != nil, cursor.literal("},\"timestamp\":")
    else { return false }
    return cursor.isAtEnd
  }
}
