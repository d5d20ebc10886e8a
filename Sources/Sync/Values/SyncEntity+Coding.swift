extension SyncEntity {
  /// A row with the members of a value of one's own.
  ///
  /// ```swift
  /// struct Note: Codable {
  ///   var text: String
  ///   var due: Date?
  /// }
  ///
  /// let row = try SyncEntity(id: "n1", kind: "note", encoding: Note(text: "call Ada"))
  /// try await engine.queueMutation(.create, of: row.key, members: row.members)
  /// ```
  ///
  /// Each property is a member. An optional that is `nil` is no member. Whole numbers and `Double` keep their values;
  /// a `Date` is a text in UTC to the millisecond (RFC 3339, `2026-11-21T08:00:00.5Z`), `Data` a text in Base64, and
  /// `Decimal` and `URL` are their texts. Everything else is what it encodes itself as.
  ///
  /// - Parameters:
  ///   - id: The id, which is no member.
  ///   - kind: The name of the kind.
  ///   - row: The value.
  /// - Throws: `EncodingError` with the path of what a member cannot hold: a whole number beyond `Int64`, a number that
  ///   is not finite, a date beyond the years 1 to 9999, or a row that is not an object at all.
  public init(id: String, kind: String, encoding row: some Encodable) throws {
    self.init(key: EntityKey(kind: kind, id: id), members: try Self.members(of: row))
  }

  /// The members as a value of one's own; members that the type does not have are left out.
  ///
  /// - Throws: `DecodingError` with the path of a member that is missing or does not fit: no number is rounded, except
  ///   to a `Float`, and no unknown case of an enumeration is taken for another one.
  public func decode<Row: Decodable>(_ type: Row.Type = Row.self) throws -> Row {
    try EntityDecoder(value: .object(members), codingPath: []).decode(type)
  }

  /// The members that an update has to set so that this row becomes another one.
  ///
  /// These are the members that differ, and null for those that are `nil` now. Members that the type does not have stay
  /// as they are.
  ///
  /// ```swift
  /// var note = try row.decode(Note.self)
  /// note.due = nil
  /// try await engine.queueMutation(.update, of: row.key, members: row.edits(to: note))
  /// ```
  ///
  /// - Throws: `DecodingError` if this row is none of that type, `EncodingError` as ``init(id:kind:encoding:)``.
  public func edits<Row: Codable>(to row: Row) throws -> [String: SyncValue] {
    let (old, new) = (try Self.members(of: decode(Row.self)), try Self.members(of: row))
    let gone = old.filter { new[$0.key] == nil }.mapValues { _ in SyncValue.null }
    return new.filter { old[$0.key] != $0.value }.merging(gone) { $1 }
  }

  private static func members(of row: some Encodable) throws -> [String: SyncValue] {
    let value = try EntityEncoder.value(of: row, at: [])
    guard case .object(let members) = value else {
      throw EncodingError.invalidValue(
        row, .init(codingPath: [], debugDescription: "a row has named members, and this is \(value)"))
    }
    return members
  }
}
