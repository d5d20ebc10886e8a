package import Codecs

/// A part of a payload with a field table, which both reads and writes it.
package protocol PayloadSection: Hashable, Sendable {
  /// An empty section.
  init()
  /// The fields in the order in which they are written.
  static var fields: [SectionField<Self>] { get }
  /// Fields that are unknown or were not understood; they are written back.
  var otherFields: [String: JSONValue] { get set }
}

/// One field of a section: its JSON key, its property, and the conversion between them.
///
/// A class, because the table is iterated for every section of every payload, and copying a field would cost more
/// than reading it.
package final class SectionField<Section: Sendable>: Sendable {
  /// Apple's key.
  let key: String
  /// Keys that other tools use for the same field.
  let aliases: [String]
  /// Sets the property; false if the value is not understood.
  let read: @Sendable (JSONValue, inout Section, inout ReadingContext) -> Bool
  /// The value to write, if there is one.
  let write: @Sendable (Section) -> JSONValue?
  /// The value's part in the hash, if it is written.
  let digest: @Sendable (Section) -> ContentDigest?
  /// The key's part in the hash.
  let keyDigest: ContentDigest
  /// Adds the figures in the field, each named after a prefix.
  let addFigures: @Sendable (Section, String, inout FigureList) -> Void
  /// The units of those figures by name.
  let figureUnits: @Sendable () -> [(name: String, unit: String)]

  /// A field that may be absent.
  ///
  /// - Parameter swiftName: The name in Apple's Swift interface where that is not the key; also an alias.
  init<Value>(
    _ key: String, _ property: any WritableKeyPath<Section, Value?> & Sendable, _ codec: FieldCodec<Value>,
    swiftName: String? = nil, aliases: [String] = []
  ) {
    (self.key, keyDigest) = (key, ContentDigest(key))
    self.aliases = (swiftName.map { [$0] } ?? []) + aliases
    let name = swiftName ?? key
    figureUnits = { codec.figureUnits().map { (name + $0.end, $0.unit) } }
    addFigures = { section, prefix, list in
      if let value = section[keyPath: property] { codec.addFigures(value, prefix + name, &list) }
    }
    read = { json, section, context in
      guard let value = codec.read(json, &context) else { return false }
      section[keyPath: property] = value
      return true
    }
    write = { $0[keyPath: property].flatMap(codec.write) }
    digest = { $0[keyPath: property].flatMap(codec.digest) }
  }

  /// A field with a default: `absent` is not written.
  init<Value: Equatable & Sendable>(
    _ key: String, _ property: any WritableKeyPath<Section, Value> & Sendable, _ codec: FieldCodec<Value>,
    absent: Value? = nil, aliases: [String] = []
  ) {
    (self.key, self.aliases, keyDigest) = (key, aliases, ContentDigest(key))
    figureUnits = { codec.figureUnits().map { (key + $0.end, $0.unit) } }
    addFigures = { codec.addFigures($0[keyPath: property], $1 + key, &$2) }
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
  /// Reads a section; fields outside its table go to ``otherFields``.
  init(_ fields: [String: JSONValue], _ context: inout ReadingContext) {
    self.init()
    var rest = fields
    read(Self.fields, from: &rest, &context)
    keep(rest, &context)
  }

  /// The units of the figures of all fields, by name.
  static var figureUnits: [(name: String, unit: String)] { fields.flatMap { $0.figureUnits() } }

  /// Adds the figures of all fields, each named after a prefix.
  func addFigures(under prefix: String, to list: inout FigureList) {
    for field in Self.fields { field.addFigures(self, prefix, &list) }
  }

  /// Reads the fields of a table and removes them from `rest`.
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
      // In a report of iOS 27, Apple writes the alias itself.
      if !context.isReport { context.note("Apple writes this as \(field.key)", at: alias) }
      return (alias, value)
    }
    return nil
  }

  /// Keeps the fields that no table read.
  mutating func keep(_ rest: [String: JSONValue], _ context: inout ReadingContext) {
    for key in rest.keys.sorted() {
      context.note("an unknown key, kept as it is", at: key)
      otherFields[key] = rest[key]
    }
  }

  /// The section as written.
  var json: [String: JSONValue] {
    var json = otherFields
    json.reserveCapacity(json.count + Self.fields.count)
    for field in Self.fields {
      if let value = field.write(self) { json[field.key] = value }
    }
    return json
  }

  /// The content of the hash: equal for sections with equal JSON, whatever the order of their keys.
  var digest: ContentDigest {
    // An unknown field can have a known key and then yields to it; the JSON resolves that.
    guard otherFields.isEmpty else { return ContentDigest(.object(json)) }
    var members = ContentDigest.Members()
    for field in Self.fields {
      if let value = field.digest(self) { members.add(field.keyDigest, value) }
    }
    return ContentDigest(members)
  }
}
