extension LineEntry {
  /// Reads a line as a JSON object with the members in any order and layout, walking over it once; `nil` for whatever is
  /// not plainly such an object.
  ///
  /// Members that nobody knows are passed over. Of duplicate keys the first counts, as in Foundation's decoder.
  init?(object line: UnsafeRawBufferPointer) {
    var parts = ObjectParts()
    var cursor = JSONCursor(line)
    cursor.skipWhitespace()
    guard cursor.members({ parts.take($1, from: &$0) }) else { return nil }
    cursor.skipWhitespace()
    guard cursor.isAtEnd, let name = parts.name, let typeName = parts.typeName, let value = parts.value,
      let stamp = parts.time, let time = Double(String(decoding: line[stamp], as: UTF8.self)), time.isFinite
    else { return nil }
    self.init(
      bucket: parts.bucket?.string(in: line), name: name.string(in: line),
      typeName: typeName.string(in: line),
      time: time, value: value.hasEscapes ? value.unescaped(in: line) : Array(line[value.range]))
  }
}

/// What has been found of an entry so far.
private struct ObjectParts {
  var bucket: JSONText?
  var name: JSONText?
  var typeName: JSONText?
  var value: JSONText?
  var time: Range<Int>?
  private var hasMetric = false
  private var hasBucket = false

  /// Reads the value of one member of the entry.
  mutating func take(_ key: JSONText, from cursor: inout JSONCursor) -> Bool {
    if value == nil, key.equals("value", in: cursor.bytes) {
      value = cursor.string()
      return value != nil
    }
    if time == nil, key.equals("timestamp", in: cursor.bytes) {
      time = cursor.number()
      return time != nil
    }
    if !hasMetric, key.equals("metric", in: cursor.bytes) {
      hasMetric = true
      return cursor.members(depth: 1) { takeMetric($1, from: &$0) }
    }
    return cursor.skipValue(depth: 1)
  }

  private mutating func takeMetric(_ key: JSONText, from cursor: inout JSONCursor) -> Bool {
    if name == nil, key.equals("name", in: cursor.bytes) {
      name = cursor.string()
      return name != nil
    }
    if typeName == nil, key.equals("valueTypeString", in: cursor.bytes) {
      typeName = cursor.string()
      return typeName != nil
    }
    if !hasBucket, key.equals("bucket", in: cursor.bytes) {
      hasBucket = true
      if cursor.byte == UInt8(ascii: "n") { return cursor.literal("null") }
      bucket = cursor.string()
      return bucket != nil
    }
    return cursor.skipValue(depth: 2)
  }
}
