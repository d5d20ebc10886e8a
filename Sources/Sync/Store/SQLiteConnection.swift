import CSQLite
import Platform

/// An open SQLite database.
///
/// Uncommitted changes are lost when it is closed.
final class SQLiteConnection {
  private let database: OpaquePointer
  /// Set when SQLite finds the file damaged.
  let damage: StoreDamage
  /// Prepared statements by their text.
  private var statements: [String: OpaquePointer] = [:]
  private var isClosed = false
  /// True if the last statement may have changed something.
  private(set) var mayHaveChanged = false
  /// True if a statement has found the disk full.
  var isFull = false

  /// Opens or creates a file.
  ///
  /// - Throws: ``SyncError`` with the code `storeUnavailable`.
  init(path: String, damage: StoreDamage = StoreDamage()) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(path, &opened, flags, nil)
    guard result == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SyncError(.storeUnavailable, detail: "SQLite cannot open \(path) (\(result))")
    }
    (database, self.damage) = (opened, damage)
    sqlite3_extended_result_codes(opened, 1)
  }

  deinit { close() }

  /// Closes the file; the connection cannot be used afterwards.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  /// True while a transaction is open: SQLite rolls back by itself after some errors, such as a full disk.
  var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  /// Executes statements without parameters.
  func execute(_ script: String) throws {
    try check(sqlite3_exec(database, script, nil, nil, nil))
  }

  /// Executes one statement.
  ///
  /// - Returns: The result rows.
  @discardableResult
  func run(_ text: String, _ values: [SQLiteValue] = []) throws -> [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    try run(text, values) { rows.append($0) }
    return rows
  }

  /// Executes one statement, row by row.
  func run(_ text: String, _ values: [SQLiteValue], each body: ([SQLiteValue]) throws -> Void) throws {
    let statement = try prepared(text)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (place, value) in values.enumerated() {
      try check(Self.bind(value, to: statement, at: Int32(place + 1)))
    }
    let columns = sqlite3_column_count(statement)
    mayHaveChanged = sqlite3_stmt_readonly(statement) == 0
    while true {
      let result = sqlite3_step(statement)
      guard result == SQLITE_ROW else {
        if result != SQLITE_DONE { throw failure(result) }
        return
      }
      try body((0..<columns).map { Self.column($0, of: statement) })
    }
  }

  private func prepared(_ text: String) throws -> OpaquePointer {
    if let statement = statements[text] { return statement }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw SyncError(.store, detail: "there is no statement") }
    statements[text] = statement
    return statement
  }

  private static func bind(_ value: SQLiteValue, to statement: OpaquePointer, at place: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(statement, place)
    case .integer(let value): sqlite3_bind_int64(statement, place, value)
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        mistertop_sqlite_bind(statement, place, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  private static func column(_ place: Int32, of statement: OpaquePointer) -> SQLiteValue {
    switch sqlite3_column_type(statement, place) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, place))
    case SQLITE_NULL: return .null
    default:
      guard let bytes = sqlite3_column_blob(statement, place) else { return .bytes([]) }
      let count = Int(sqlite3_column_bytes(statement, place))
      return .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    }
  }

  private func check(_ result: Int32) throws {
    if result != SQLITE_OK { throw failure(result) }
  }

  private func failure(_ result: Int32) -> SyncError {
    let text = String(cString: sqlite3_errmsg(database))
    if result & 0xFF == SQLITE_FULL { isFull = true }
    return switch result & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: damage.found(text)
    case SQLITE_CANTOPEN, SQLITE_READONLY: SyncError(.storeUnavailable, detail: text)
    default: SyncError(.store, detail: text)
    }
  }
}

/// Damage of a store's file, known beyond the life of a handle: the next opening puts a damaged file aside.
final class StoreDamage: Sendable {
  private let isThere = Locked(false)

  /// Notes that the file is damaged.
  ///
  /// - Returns: The error that makes the engine reopen the store.
  func found(_ text: String) -> SyncError {
    isThere.withLock { $0 = true }
    return SyncError(.storeUnavailable, detail: "the store is damaged: \(text)")
  }

  /// True if damage was found since the last call.
  func take() -> Bool {
    isThere.withLock { isThere in
      defer { isThere = false }
      return isThere
    }
  }
}
