import Foundation
import Sync

/// A store over SQLite, as an app would write it: from the documentation of ``SyncStore`` alone.
///
/// A transaction is always open: it begins with the handle, with each save and with each rollback.
final class AppSyncStore: SyncStore {
  let connection: AppDatabase
  let domain: SyncDomain

  init(_ connection: AppDatabase, domain: SyncDomain) {
    self.connection = connection
    self.domain = domain
  }

  func save() throws { try connection.execute("COMMIT; BEGIN") }

  func rollback() -> Bool {
    do { try connection.execute("ROLLBACK; BEGIN") } catch { return false }
    return true
  }

  func erase() throws {
    for table in ["mutation", "letter", "row", "quarantine", "setting"] {
      try connection.run("DELETE FROM \(table)")
    }
  }

  // MARK: - Settings

  func cursor() throws -> SyncCursor? { try setting("cursor") }

  func setCursor(_ cursor: SyncCursor?) throws { try set("cursor", to: cursor) }

  func fetchedKinds() throws -> Set<String>? { try setting("kinds") }

  func setFetchedKinds(_ kinds: Set<String>) throws { try set("kinds", to: kinds) }

  private func setting<Value: Decodable>(_ name: String) throws -> Value? {
    try connection.run("SELECT content FROM setting WHERE name = ?", .text(name)).first.map {
      try Self.decode($0[0])
    }
  }

  private func set(_ name: String, to value: (some Encodable)?) throws {
    try connection.run("DELETE FROM setting WHERE name = ?", .text(name))
    guard let value else { return }
    try connection.run("INSERT INTO setting VALUES (?, ?)", .text(name), Self.encode(value))
  }

  // MARK: - JSON

  /// The same bytes for the same value: the quarantine recognizes what it has by them.
  static func encode(_ value: some Encodable) throws -> AppValue {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return .bytes(try encoder.encode(value)) } catch {
      throw SyncError(.store, detail: "JSON cannot express this: \(error)")
    }
  }

  static func decode<Value: Decodable>(_ value: AppValue) throws -> Value {
    do { return try JSONDecoder().decode(Value.self, from: value.data) } catch {
      throw SyncError(.store, detail: "this is not what was stored: \(error)")
    }
  }
}
