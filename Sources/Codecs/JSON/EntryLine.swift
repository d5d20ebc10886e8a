/// The members of a metrics entry, located in a line that is a JSON object with any order and layout.
///
/// ```
/// {"metric":{"bucket":"app","name":"launch_count","valueTypeString":"Int"},"timestamp":816918481.1326969,"value":"MA=="}
/// ```
///
/// Unknown members are skipped. An object that repeats a known member is left to slower readers.
package struct EntryLine {
  /// The object that holds the three members that follow.
  package let metric: UnsafeRawBufferPointer
  package let bucket: JSONText?
  package let name: JSONText
  package let typeName: JSONText
  /// The digits of the timestamp.
  package let time: UnsafeRawBufferPointer
  /// The Base64 of the value.
  package let value: JSONText

  /// Locates the members; `nil` for anything that is not clearly such an object.
  package init?(_ line: UnsafeRawBufferPointer) {
    var found = FoundMembers()
    var tokenizer = JSONTokenizer(line)
    tokenizer.skipWhitespace()
    guard tokenizer.members({ found.read($1, from: &$0) }), tokenizer.finishes(), let metric = found.metric,
      let name = found.name, let typeName = found.typeName, let time = found.time, let value = found.value
    else { return nil }
    self.metric = metric
    bucket = found.bucket
    self.name = name
    self.typeName = typeName
    self.time = time
    self.value = value
  }
}

/// The members found so far.
private struct FoundMembers {
  var metric: UnsafeRawBufferPointer?
  var bucket: JSONText?
  var name: JSONText?
  var typeName: JSONText?
  var time: UnsafeRawBufferPointer?
  var value: JSONText?
  private var hasBucket = false

  /// Reads one member of the entry.
  mutating func read(_ key: JSONText, from tokenizer: inout JSONTokenizer) -> Bool {
    if key.equals("value") {
      guard value == nil else { return false }
      value = tokenizer.string()
      return value != nil
    }
    if key.equals("timestamp") {
      guard time == nil else { return false }
      time = tokenizer.number()
      return time != nil
    }
    if key.equals("metric") {
      guard metric == nil else { return false }
      let start = tokenizer.position
      guard tokenizer.members({ readMetric($1, from: &$0) }) else { return false }
      metric = UnsafeRawBufferPointer(rebasing: tokenizer.bytes[start..<tokenizer.position])
      return true
    }
    return tokenizer.skipValue()
  }

  private mutating func readMetric(_ key: JSONText, from tokenizer: inout JSONTokenizer) -> Bool {
    if key.equals("name") {
      guard name == nil else { return false }
      name = tokenizer.string()
      return name != nil
    }
    if key.equals("valueTypeString") {
      guard typeName == nil else { return false }
      typeName = tokenizer.string()
      return typeName != nil
    }
    if key.equals("bucket") {
      guard !hasBucket else { return false }
      hasBucket = true
      switch tokenizer.token() {
      case .null: return true
      case .text(let text): bucket = text
      default: return false
      }
      return true
    }
    return tokenizer.skipValue()
  }
}
