import CSQLite
import Foundation
import Sync

/// A value of a column.
enum AppValue {
  case null
  case integer(Int64)
  case bytes(Data)

  /// A text as its bytes: these are compared one by one, and may have any value.
  static func text(_ text: String) -> AppValue { .bytes(Data(text.utf8)) }

  static func number(_ value: Int) -> AppValue { .integer(Int64(value)) }

  var data: Data { if case .bytes(let data) = self { data } else { Data() } }
  var number: Int { if case .integer(let value) = self { Int(value) } else { 0 } }
}

/// An open database; it is closed, and what was not committed is gone, when the value goes.
final class AppDatabase {
  private let database: OpaquePointer
  /// Statements that were prepared, by their text.
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a file, or makes one.
  ///
  /// - Throws: ``SyncError`` with the code `storeUnavailable`.
  init(path: String) throws {
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SyncError(.storeUnavailable, detail: "SQLite cannot open the file (\(result))")
    }
    database = opened
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  /// Carries out statements without values.
  func execute(_ script: String) throws {
    guard sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// Carries out one statement.
  ///
  /// - Returns: The rows that it yields.
  @discardableResult
  func run(_ text: String, _ values: AppValue...) throws -> [[AppValue]] {
    let statement = try prepared(text)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (place, value) in values.enumerated() { try bind(value, to: statement, at: Int32(place + 1)) }
    var rows: [[AppValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { column($0, of: statement) })
      case SQLITE_DONE: return rows
      default: throw failure
      }
    }
  }

  private func prepared(_ text: String) throws -> OpaquePointer {
    if let statement = statements[text] { return statement }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure
    }
    statements[text] = statement
    return statement
  }

  private func bind(_ value: AppValue, to statement: OpaquePointer, at place: Int32) throws {
    let result =
      switch value {
      case .null: sqlite3_bind_null(statement, place)
      case .integer(let value): sqlite3_bind_int64(statement, place, value)
      case .bytes(let data):
        data.withUnsafeBytes { mistertop_sqlite_bind(statement, place, $0.baseAddress, Int32($0.count)) }
      }
    guard result == SQLITE_OK else { throw failure }
  }

  private func column(_ place: Int32, of statement: OpaquePointer) -> AppValue {
    switch sqlite3_column_type(statement, place) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, place))
    case SQLITE_NULL: return .null
    default:
      guard let bytes = sqlite3_column_blob(statement, place) else { return .bytes(Data()) }
      return .bytes(Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, place))))
    }
  }

  private var failure: SyncError {
    SyncError(.store, detail: String(cString: sqlite3_errmsg(database)))
  }
}
