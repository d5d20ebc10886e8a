import Foundation
import Sync

/// Opens stores over one SQLite file.
struct AppSyncStoreFactory: SyncStoreFactory {
  let file: URL
  let domain: SyncDomain

  func makeStore() throws -> any SyncStore {
    let connection = try AppDatabase(path: file.path)
    // Committed is then on the disk: there is nothing left for pendingSync().
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + Self.schema + "BEGIN")
    return AppSyncStore(connection, domain: domain)
  }

  /// The tables.
  ///
  /// Names are bytes, so that they are compared and sorted by them. A sequence that was used is not used again: a place
  /// in the push order may outlive its mutation.
  private static let schema = """
    CREATE TABLE IF NOT EXISTS mutation (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, kind BLOB NOT NULL,
      entity BLOB NOT NULL, lane INTEGER NOT NULL, content BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS mutation_entity ON mutation (kind, entity, sequence);
    CREATE INDEX IF NOT EXISTS mutation_lane ON mutation (lane, sequence);
    CREATE TABLE IF NOT EXISTS letter (
      number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, kind BLOB NOT NULL,
      entity BLOB NOT NULL, content BLOB NOT NULL);
    CREATE INDEX IF NOT EXISTS letter_entity ON letter (kind, entity, number);
    CREATE TABLE IF NOT EXISTS row (
      kind BLOB NOT NULL, id BLOB NOT NULL, is_pending INTEGER NOT NULL, target_kind BLOB, target BLOB,
      members BLOB NOT NULL, status BLOB NOT NULL, linked BLOB, basis BLOB NOT NULL, PRIMARY KEY (kind, id));
    CREATE INDEX IF NOT EXISTS row_pending ON row (id, kind) WHERE is_pending;
    CREATE INDEX IF NOT EXISTS row_target ON row (target_kind, target, id, kind) WHERE target IS NOT NULL;
    CREATE TABLE IF NOT EXISTS quarantine (
      number INTEGER PRIMARY KEY AUTOINCREMENT, kind BLOB NOT NULL, entity BLOB NOT NULL, content BLOB NOT NULL,
      UNIQUE (kind, entity, content));
    CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, content BLOB NOT NULL);

    """
}
