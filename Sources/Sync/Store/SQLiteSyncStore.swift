/// A database for a store's statements; a transaction is always open.
protocol StoreDatabase: AnyObject {
  /// Executes one statement and returns its rows.
  @discardableResult
  func run(_ text: String, _ values: [SQLiteValue]) throws -> [[SQLiteValue]]

  /// The number of the next mutation; never reused, even after a rollback.
  func nextSequence() throws -> Int64

  ///
  /// - Parameter isErasing: Whether to rewrite the file, so that no deleted data stays in it.
  func save(isErasing: Bool) throws

  /// Discards uncommitted changes; returns whether that worked.
  func rollback() -> Bool

  /// An operation that makes everything committed survive a power cut; `nil` if it does already.
  func pendingSync() -> (@Sendable () throws -> Void)?

  /// ``SyncStore/keepRoom(for:)``.
  func keepRoom(for bytes: Int) throws

  /// ``SyncStore/useRoom()``.
  func useRoom() -> Bool

  /// The error for a damaged row.
  func damaged(_ text: String) -> SyncError
}

/// The engine's own store over SQLite, in a file or in memory.
final class SQLiteSyncStore: SyncStore {
  let database: any StoreDatabase
  let domain: SyncDomain
  private let kindRows: [String: Int]
  private var isErasing = false

  init(_ database: any StoreDatabase, domain: SyncDomain) {
    (self.database, self.domain, kindRows) = (database, domain, QueueRules.rows(of: domain))
  }

  func lane(of mutation: Mutation) -> SQLiteValue { .number(QueueRules.lane(of: mutation, rows: kindRows)) }

  func save() throws {
    try database.save(isErasing: isErasing)
    isErasing = false
  }

  func rollback() -> Bool {
    isErasing = false
    return database.rollback()
  }

  func pendingSync() -> (@Sendable () throws -> Void)? { database.pendingSync() }

  func keepRoom(for bytes: Int) throws { try database.keepRoom(for: bytes) }

  func useRoom() -> Bool { database.useRoom() }

  func erase() throws {
    // Rows first: the triggers then have no rows to update when mutations go.
    for table in ["row", "mutation", "letter", "quarantine", "setting"] { try run("DELETE FROM \(table)") }
    isErasing = true
    try set("domain", to: shape)
  }

  @discardableResult
  func run(_ text: String, _ values: SQLiteValue...) throws -> [[SQLiteValue]] {
    try database.run(text, values)
  }

  /// Decodes result rows into values.
  func list<Value>(_ rows: [[SQLiteValue]], _ make: (ArraySlice<SQLiteValue>) -> Value?) throws -> [Value] {
    try rows.map { row in
      guard let value = make(row[...]) else { throw database.damaged("a row is not as it was written") }
      return value
    }
  }

  // MARK: - Settings

  func cursor() throws -> SyncCursor? {
    switch try setting("cursor") {
    case .int(let number)?: SyncCursor(number)
    case .string(let text)?: SyncCursor(opaque: text)
    default: nil
    }
  }

  func setCursor(_ cursor: SyncCursor?) throws {
    try set("cursor", to: cursor.map { cursor in cursor.text.map { .string($0) } ?? .int(cursor.number) })
  }

  func fetchedKinds() throws -> Set<String>? {
    guard case .array(let kinds)? = try setting("kinds") else { return nil }
    return Set(kinds.compactMap { if case .string(let kind) = $0 { kind } else { nil } })
  }

  func setFetchedKinds(_ kinds: Set<String>) throws {
    try set("kinds", to: .array(kinds.sorted().map { .string($0) }))
  }

  private func setting(_ name: String) throws -> SyncValue? {
    try list(run("SELECT seal, name, content FROM setting WHERE name = ?", .text(name))) { columns in
      Seal.isIntact(columns) ? columns.last.flatMap { StoredContent.fields(of: $0.bytes)?.first } : nil
    }.first
  }

  private func set(_ name: String, to value: SyncValue?) throws {
    if try setting(name) == value { return }
    try run("DELETE FROM setting WHERE name = ?", .text(name))
    guard let value else { return }
    let columns = Seal.sealed([.text(name), .bytes(try StoredContent.bytes(of: [value]))])
    try database.run("INSERT INTO setting VALUES (?, ?, ?)", columns)
  }

  // MARK: - Opening

  /// The parts of the domain that stored columns depend on.
  private var shape: SyncValue {
    .array(
      domain.kinds.map { kind in
        let link = kind.link.map { [.string($0.member), .string($0.kind)] as [SyncValue] } ?? []
        return .array([.string(kind.name), .int(Int64(kind.rank))] + link)
      })
  }

  /// Recomputes lanes and targets if the app's kinds have changed.
  func adoptDomain() throws {
    guard try setting("domain") != shape else { return }
    for mutation in try mutations() { try update(mutation) }
    for kind in try run("SELECT DISTINCT kind FROM row") {
      for row in try entities(of: kind[0].text) { try upsert(row) }
    }
    try set("domain", to: shape)
    try save()
  }

  /// Treats recovered contents as incomplete: the feed is read again, and every mutation counts as possibly sent, since
  /// the mark may be lost.
  func distrust() throws {
    for statement in StoreSchema.repair { try run(statement) }
    try setCursor(nil)
    for var mutation in try mutations() where !mutation.mayHaveBeenSent {
      mutation.mayHaveBeenSent = true
      try update(mutation)
    }
    // No frame of the log may remain that a later opening would find.
    isErasing = true
    try save()
  }
}
