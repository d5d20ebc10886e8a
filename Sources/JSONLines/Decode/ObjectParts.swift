/// Where the parts of an entry lie in a line that is a JSON object with the members in any order and layout.
///
/// Members that nobody knows are passed over. Of duplicate keys the first counts, as in Foundation's decoder.
struct ObjectParts {
  let bucket: JSONText?
  let name: JSONText
  let typeName: JSONText
  let value: JSONText
  private let stamp: Range<Int>

  /// Walks over the line once; `nil` for whatever is not plainly such an object.
  init?(_ line: UnsafeRawBufferPointer) {
    var found = FoundMembers()
    var cursor = JSONCursor(line)
    cursor.skipWhitespace()
    guard cursor.members({ found.take($1, from: &$0) }) else { return nil }
    cursor.skipWhitespace()
    guard cursor.isAtEnd, let name = found.name, let typeName = found.typeName, let value = found.value,
      let stamp = found.time
    else { return nil }
    bucket = found.bucket
    self.name = name
    self.typeName = typeName
    self.value = value
    self.stamp = stamp
  }

  /// Seconds since 2001; `nil` where no double holds them.
  func time(in line: UnsafeRawBufferPointer) -> Double? {
    PlainNumber.double(UnsafeRawBufferPointer(rebasing: line[stamp])).flatMap { $0.isFinite ? $0 : nil }
  }

  func identity(in line: UnsafeRawBufferPointer) -> MetricIdentity {
    MetricIdentity(
      bucket: bucket?.string(in: line), name: name.string(in: line), typeName: typeName.string(in: line))
  }

  /// Writes the head that a canonical line of this metric begins with.
  func writeHead(of line: UnsafeRawBufferPointer, into head: inout [UInt8]) {
    func append(_ text: StaticString) {
      head.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
    head.removeAll(keepingCapacity: true)
    append("{\"metric\":{")
    if let bucket {
      append("\"bucket\":\"")
      head.append(contentsOf: line[bucket.range])
      append("\",")
    }
    append("\"name\":\"")
    head.append(contentsOf: line[name.range])
    append("\",\"valueTypeString\":\"")
    head.append(contentsOf: line[typeName.range])
    append("\"},\"timestamp\":")
  }
}

/// Where the members of an entry have been found so far.
private struct FoundMembers {
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
