/// The tables of a store.
///
/// Names are stored as bytes, so that they are compared and sorted bytewise. Triggers maintain frequently read values:
/// the number of pending mutations, the oldest of each entity (`is_head`), and the pending rows without a mutation
/// (`is_unqueued`).
enum StoreSchema {
  /// Marks the file as a sync store: "sync" in ASCII.
  static let application = 0x7379_6E63
  /// The version of the tables and of their column contents.
  static let version = 1

  /// The tables with a checksum in their rows, and the index of its column.
  static let tables = ["row": 4, "mutation": 3, "letter": 1, "quarantine": 1]

  /// The beginning of the first table, by which a store with a damaged header is recognized.
  static let firstTable = "CREATE TABLE mutation (\n  sequence INTEGER PRIMARY KEY, lane INTEGER NOT NULL"

  static let script = """
    BEGIN;
    \(firstTable), is_head INTEGER NOT NULL, seal INTEGER NOT NULL,
      id BLOB NOT NULL UNIQUE, kind BLOB NOT NULL, entity BLOB NOT NULL, payload BLOB NOT NULL,
      content BLOB NOT NULL);
    CREATE INDEX mutation_entity ON mutation (kind, entity, sequence);
    CREATE INDEX mutation_lane ON mutation (lane, sequence) WHERE is_head;
    CREATE TABLE letter (
      number INTEGER PRIMARY KEY, seal INTEGER NOT NULL, id BLOB NOT NULL UNIQUE, kind BLOB NOT NULL,
      entity BLOB NOT NULL, payload BLOB NOT NULL, content BLOB NOT NULL);
    CREATE INDEX letter_entity ON letter (kind, entity, number);
    CREATE TABLE row (
      is_pending INTEGER NOT NULL, is_unqueued INTEGER NOT NULL, target_kind BLOB, target BLOB,
      seal INTEGER NOT NULL, kind BLOB NOT NULL, id BLOB NOT NULL, content BLOB NOT NULL,
      PRIMARY KEY (kind, id)) WITHOUT ROWID;
    CREATE INDEX row_unqueued ON row (id, kind) WHERE is_unqueued;
    CREATE INDEX row_target ON row (target_kind, target, id, kind) WHERE target IS NOT NULL;
    CREATE TABLE quarantine (
      number INTEGER PRIMARY KEY, seal INTEGER NOT NULL, kind BLOB NOT NULL, entity BLOB NOT NULL,
      content BLOB NOT NULL, UNIQUE (kind, entity, content));
    CREATE TABLE setting (seal INTEGER NOT NULL, name BLOB PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE tally (waiting INTEGER NOT NULL);
    INSERT INTO tally VALUES (0);
    CREATE TRIGGER mutation_added AFTER INSERT ON mutation BEGIN
      UPDATE tally SET waiting = waiting + 1;
      UPDATE mutation SET is_head = 0
        WHERE kind = new.kind AND entity = new.entity AND sequence > new.sequence AND is_head;
      UPDATE row SET is_unqueued = 0 WHERE kind = new.kind AND id = new.entity AND is_unqueued;
    END;
    CREATE TRIGGER mutation_removed AFTER DELETE ON mutation BEGIN
      UPDATE tally SET waiting = waiting - 1;
      UPDATE mutation SET is_head = 1 WHERE NOT is_head AND sequence = (
        SELECT min(sequence) FROM mutation WHERE kind = old.kind AND entity = old.entity);
      UPDATE row SET is_unqueued = 1 WHERE kind = old.kind AND id = old.entity AND is_pending AND NOT EXISTS (
        SELECT 1 FROM mutation WHERE kind = old.kind AND entity = old.entity);
    END;
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(version);
    COMMIT;
    """

  /// The names and SQL of all schema objects, as an intact file has them.
  static func parts(of connection: SQLiteConnection) throws -> [[SQLiteValue]] {
    try connection.run("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
  }

  /// The expected ``parts(of:)``.
  static let parts: [[SQLiteValue]]? = {
    do {
      let connection = try SQLiteConnection(path: ":memory:")
      try connection.execute(script)
      return try parts(of: connection)
    } catch { return nil }
  }()

  /// Recomputes the triggers' values after rows were lost.
  static let repair = [
    """
    UPDATE mutation SET is_head = NOT EXISTS (
      SELECT 1 FROM mutation AS older WHERE older.kind = mutation.kind AND older.entity = mutation.entity
        AND older.sequence < mutation.sequence)
    """,
    """
    UPDATE row SET is_unqueued = is_pending AND NOT EXISTS (
      SELECT 1 FROM mutation WHERE mutation.kind = row.kind AND mutation.entity = row.id)
    """,
    "UPDATE tally SET waiting = (SELECT count(*) FROM mutation)",
  ]
}
