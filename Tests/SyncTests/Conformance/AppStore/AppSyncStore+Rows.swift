import Foundation
import Sync

// The rows and the quarantine.
extension AppSyncStore {
  /// The columns that make a row.
  private static let columns = "kind, id, members, status, linked, basis"

  func upsert(_ entity: SyncEntity) throws {
    // Only while it is not linked to it.
    let target = entity.linkedTo == nil ? domain.target(of: entity) : nil
    try connection.run(
      "INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", .text(entity.key.kind),
      .text(entity.key.id),
      .integer(entity.status == .pending ? 1 : 0), target.map { .text($0.kind) } ?? .null,
      target.map { .text($0.id) } ?? .null, Self.encode(entity.members), .text(entity.status.rawValue),
      entity.linkedTo.map { .text($0) } ?? .null, Self.encode(entity.basis))
  }

  func entity(_ key: EntityKey) throws -> SyncEntity? {
    try connection.run(
      "SELECT \(Self.columns) FROM row WHERE kind = ? AND id = ?", .text(key.kind), .text(key.id)
    ).first.map(row)
  }

  func removeEntity(_ key: EntityKey) throws {
    try connection.run("DELETE FROM row WHERE kind = ? AND id = ?", .text(key.kind), .text(key.id))
  }

  func entities(of kind: String) throws -> [SyncEntity] {
    try connection.run("SELECT \(Self.columns) FROM row WHERE kind = ? ORDER BY id", .text(kind)).map(row)
  }

  func unqueuedPendingEntities() throws -> [SyncEntity] {
    try connection.run(
      """
      SELECT \(Self.columns) FROM row WHERE is_pending AND NOT EXISTS (
        SELECT 1 FROM mutation WHERE mutation.kind = row.kind AND mutation.entity = row.id)
      ORDER BY id, kind
      """
    ).map(row)
  }

  func entities(waitingFor target: EntityKey) throws -> [SyncEntity] {
    try connection.run(
      "SELECT \(Self.columns) FROM row WHERE target_kind = ? AND target = ? ORDER BY id, kind",
      .text(target.kind),
      .text(target.id)
    ).map(row)
  }

  private func row(_ columns: [AppValue]) throws -> SyncEntity {
    SyncEntity(
      key: EntityKey(kind: text(columns[0]), id: text(columns[1])), members: try Self.decode(columns[2]),
      status: SyncEntity.Status(rawValue: text(columns[3])) ?? .synced,
      linkedTo: { if case .null = columns[4] { nil } else { text(columns[4]) } }(),
      basis: try Self.decode(columns[5]))
  }

  private func text(_ value: AppValue) -> String { String(decoding: value.data, as: UTF8.self) }

  // MARK: - Quarantine

  func quarantine() throws -> [RemoteChange] {
    try list(
      connection.run(
        """
        SELECT content FROM (
          SELECT content, number, min(number) OVER (PARTITION BY kind, entity) AS first FROM quarantine)
        ORDER BY first, number
        """))
  }

  func quarantine(of entity: EntityKey) throws -> [RemoteChange] {
    try list(
      connection.run(
        "SELECT content FROM quarantine WHERE kind = ? AND entity = ? ORDER BY number", .text(entity.kind),
        .text(entity.id)))
  }

  func addToQuarantine(_ change: RemoteChange) throws {
    try connection.run(
      "INSERT INTO quarantine (kind, entity, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      .text(change.entity.kind), .text(change.entity.id), Self.encode(change))
  }

  func removeQuarantine(of entity: EntityKey) throws {
    try connection.run(
      "DELETE FROM quarantine WHERE kind = ? AND entity = ?", .text(entity.kind), .text(entity.id))
  }

  func removeQuarantine(of kind: String) throws {
    try connection.run("DELETE FROM quarantine WHERE kind = ?", .text(kind))
  }
}
