// The rows and the quarantine.
extension SQLiteSyncStore {
  func upsert(_ entity: SyncEntity) throws {
    // Stored only until the row is linked to it.
    let target = entity.linkedTo == nil ? domain.target(of: entity) : nil
    let columns = try entity.sealedColumns()
    try database.run(
      """
      INSERT INTO row VALUES (?1, ?1 AND NOT EXISTS (
        SELECT 1 FROM mutation WHERE kind = ?5 AND entity = ?6), ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (kind, id) DO UPDATE SET is_pending = excluded.is_pending, is_unqueued = excluded.is_unqueued,
        target_kind = excluded.target_kind, target = excluded.target, seal = excluded.seal,
        content = excluded.content
      """,
      [
        .number(entity.status == .pending ? 1 : 0), target.map { .text($0.kind) } ?? .null,
        target.map { .text($0.id) } ?? .null,
      ] + columns)
  }

  func entity(_ key: EntityKey) throws -> SyncEntity? {
    try rows("WHERE kind = ? AND id = ?", .text(key.kind), .text(key.id)).first
  }

  func removeEntity(_ key: EntityKey) throws {
    try run("DELETE FROM row WHERE kind = ? AND id = ?", .text(key.kind), .text(key.id))
  }

  func entities(of kind: String) throws -> [SyncEntity] {
    try rows("WHERE kind = ? ORDER BY id", .text(kind))
  }

  /// Decodes only the rows whose bytes contain the status.
  func ids(of kind: String, without status: SyncEntity.Status) throws -> [String] {
    let mark = try StoredContent.bytes(of: [.string(status.rawValue)])
    return try run(
      "SELECT id, instr(content, ?) > 0 FROM row WHERE kind = ? ORDER BY id", .bytes(mark), .text(kind)
    ).filter { row in
      try row[1].number == 0 || entity(EntityKey(kind: kind, id: row[0].text))?.status != status
    }.map { $0[0].text }
  }

  func unqueuedPendingEntities() throws -> [SyncEntity] { try rows("WHERE is_unqueued ORDER BY id, kind") }

  func entities(waitingFor target: EntityKey) throws -> [SyncEntity] {
    try rows(
      "WHERE target_kind = ? AND target = ? ORDER BY id, kind", .text(target.kind), .text(target.id))
  }

  private func rows(_ condition: String, _ values: SQLiteValue...) throws -> [SyncEntity] {
    try list(database.run("SELECT \(SyncEntity.columns) FROM row " + condition, values), SyncEntity.init)
  }

  // MARK: - Quarantine

  func quarantine() throws -> [RemoteChange] {
    try list(
      run(
        """
        SELECT \(RemoteChange.columns) FROM (
          SELECT *, min(number) OVER (PARTITION BY kind, entity) AS first FROM quarantine)
        ORDER BY first, number
        """), RemoteChange.init)
  }

  func quarantine(of entity: EntityKey) throws -> [RemoteChange] {
    try list(
      run(
        "SELECT \(RemoteChange.columns) FROM quarantine WHERE kind = ? AND entity = ? ORDER BY number",
        .text(entity.kind), .text(entity.id)), RemoteChange.init)
  }

  func addToQuarantine(_ change: RemoteChange) throws {
    try database.run(
      "INSERT INTO quarantine (\(RemoteChange.columns)) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      change.sealedColumns())
  }

  func removeQuarantine(of entity: EntityKey) throws {
    try run("DELETE FROM quarantine WHERE kind = ? AND entity = ?", .text(entity.kind), .text(entity.id))
  }

  func removeQuarantine(of kind: String) throws {
    try run("DELETE FROM quarantine WHERE kind = ?", .text(kind))
  }
}
