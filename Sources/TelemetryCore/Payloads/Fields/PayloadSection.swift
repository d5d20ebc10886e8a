package import Codecs

/// A part of a payload whose fields are a table: one table reads and writes it.
package protocol PayloadSection: Hashable, Sendable {
  /// A section without anything in it.
  init()
  /// The fields in the order they are written in documents of them.
  static var fields: [SectionField<Self>] { get }
  /// Fields that are unknown here, or could not be understood; they are written again.
  var otherFields: [String: JSONValue] { get set }
}

/// One field of a section: its key in the JSON, its property, and how one becomes the other.
///
/// A class, because a table is walked for every section of every payload, and copies of all that is in a field cost more
/// than what it does.
package final class SectionField<Section: Sendable>: Sendable {
  /// The key that Apple writes.
  let key: String
  /// Keys under which others write the same.
  let aliases: [String]
  /// Sets the property; false if the value cannot be understood.
  let read: @Sendable (JSONValue, inout Section, inout ReadingContext) -> Bool
  /// The value as it is written, if there is one.
  let write: @Sendable (Section) -> JSONValue?
  /// The content of its hash, if it is written.
  let digest: @Sendable (Section) -> ContentDigest?
  /// The key's part in the hash.
  let keyDigest: ContentDigest

  /// A field that may be absent.
  init<Value>(
    _ key: String, _ property: any WritableKeyPath<Section, Value?> & Sendable, _ codec: FieldCodec<Value>,
    aliases: [String] = []
  ) {
    (self.key, self.aliases, keyDigest) = (key, aliases, ContentDigest(key))
    read = { json, section, context in
      guard let value = codec.read(json, &context) else { return false }
      section[keyPath: property] = value
      return true
    }
    write = { $0[keyPath: property].flatMap(codec.write) }
    digest = { $0[keyPath: property].flatMap(codec.digest) }
  }

  /// A field that has a value even if it is absent; `absent` is not written.
  init<Value: Equatable & Sendable>(
    _ key: String, _ property: any WritableKeyPath<Section, Value> & Sendable, _ codec: FieldCodec<Value>,
    absent: Value? = nil, aliases: [String] = []
  ) {
    (self.key, self.aliases, keyDigest) = (key, aliases, ContentDigest(key))
    read = { json, section, context in
      guard let value = codec.read(json, &context) else { return false }
      section[keyPath: property] = value
      return true
    }
    write = { section in
      let value = section[keyPath: property]
      return value == absent ? nil : codec.write(value)
    }
    digest = { section in
      let value = section[keyPath: property]
      return value == absent ? nil : codec.digest(value)
    }
  }
}

extension PayloadSection {
  /// Reads a section; what is not in its table goes to ``otherFields``.
  init(_ fields: [String: JSONValue], _ context: inout ReadingContext) {
    self.init()
    var rest = fields
    read(Self.fields, from: &rest, &context)
    keep(rest, &context)
  }

  /// Takes the fields of a table from what is there.
  mutating func read(
    _ table: [SectionField<Self>], from fields: inout [String: JSONValue], _ context: inout ReadingContext
  ) {
    for field in table {
      guard let (key, value) = Self.take(field, from: &fields, &context) else { continue }
      let isRead = context.at(key) { field.read(value, &self, &$0) }
      if !isRead { otherFields[field.key] = value }
    }
  }

  private static func take(
    _ field: SectionField<Self>, from fields: inout [String: JSONValue], _ context: inout ReadingContext
  ) -> (String, JSONValue)? {
    if let value = fields.removeValue(forKey: field.key), value != .null { return (field.key, value) }
    for alias in field.aliases {
      guard let value = fields.removeValue(forKey: alias), value != .null else { continue }
      context.note("Apple writes this as \(field.key)", at: alias)
      return (alias, value)
    }
    return nil
  }

  /// Keeps what no table took.
  mutating func keep(_ rest: [String: JSONValue], _ context: inout ReadingContext) {
    for key in rest.keys.sorted() {
      context.note("an unknown key, kept as it is", at: key)
      otherFields[key] = rest[key]
    }
  }

  /// The section as it is written.
  var json: [String: JSONValue] {
    var json = otherFields
    json.reserveCapacity(json.count + Self.fields.count)
    for field in Self.fields {
      if let value = field.write(self) { json[field.key] = value }
    }
    return json
  }

  /// The content of the hash: equal for sections that are written equally, whatever the order of their keys.
  var digest: ContentDigest {
    // An unknown field may have a known key and gives way to it; the JSON resolves that.
    guard otherFields.isEmpty else { return ContentDigest(.object(json)) }
    var members = ContentDigest.Members()
    for field in Self.fields {
      if let value = field.digest(self) { members.add(field.keyDigest, value) }
    }
    return ContentDigest(members)
  }
}
