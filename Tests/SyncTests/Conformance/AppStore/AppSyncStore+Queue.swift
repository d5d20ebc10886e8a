import Foundation
import Sync

// The queue and the dead letters.
extension AppSyncStore {
  func pendingCount() throws -> Int {
    try connection.run("SELECT count(*) FROM mutation").first?.first?.number ?? 0
  }

  func enqueue(_ mutation: Mutation) throws -> [QueueChange] {
    guard try self.mutation(mutation.id) == nil else { return [.ignored(mutation)] }
    let changes = QueueRules.changes(adding: mutation, to: try mutations(of: mutation.entity))
    for change in changes {
      switch change {
      case .added(let mutation): try add(mutation)
      case .replaced(let mutation): try update(mutation)
      case .removed(let mutation): try removeMutation(mutation.id)
      case .ignored: break
      }
    }
    return changes
  }

  private func add(_ mutation: Mutation) throws {
    try connection.run(
      "INSERT INTO mutation (id, kind, entity, lane, content) VALUES (?, ?, ?, ?, ?)", .text(mutation.id),
      .text(mutation.entity.kind), .text(mutation.entity.id),
      .number(QueueRules.lane(of: mutation, in: domain)),
      Self.encode(mutation))
  }

  func update(_ mutation: Mutation) throws {
    try connection.run(
      "UPDATE mutation SET kind = ?, entity = ?, lane = ?, content = ? WHERE id = ?",
      .text(mutation.entity.kind),
      .text(mutation.entity.id), .number(QueueRules.lane(of: mutation, in: domain)), Self.encode(mutation),
      .text(mutation.id))
  }

  func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation] {
    let found = try connection.run(
      """
      SELECT lane, sequence, content FROM mutation AS one
      WHERE (lane, sequence) > (?, ?) AND NOT EXISTS (
        SELECT 1 FROM mutation AS older
        WHERE older.kind = one.kind AND older.entity = one.entity AND older.sequence < one.sequence)
      ORDER BY lane, sequence LIMIT ?
      """, .number(position?.lane ?? -1), .number(position?.sequence ?? 0), .number(limit))
    return try found.prefix { $0[0].number == found[0][0].number }.map {
      QueuedMutation(
        mutation: try Self.decode($0[2]), position: QueuePosition(lane: $0[0].number, sequence: $0[1].number))
    }
  }

  func mutations(of entity: EntityKey) throws -> [Mutation] {
    try list(
      connection.run(
        "SELECT content FROM mutation WHERE kind = ? AND entity = ? ORDER BY sequence", .text(entity.kind),
        .text(entity.id)))
  }

  func mutations() throws -> [Mutation] {
    try list(connection.run("SELECT content FROM mutation ORDER BY sequence"))
  }

  func mutation(_ id: String) throws -> Mutation? {
    try connection.run("SELECT content FROM mutation WHERE id = ?", .text(id)).first.map {
      try Self.decode($0[0])
    }
  }

  func removeMutation(_ id: String) throws {
    try connection.run("DELETE FROM mutation WHERE id = ?", .text(id))
  }

  func removeAllMutations() throws -> [Mutation] {
    let all = try mutations()
    try connection.run("DELETE FROM mutation")
    return all
  }

  func bury(_ mutation: Mutation) throws {
    let content = try Self.encode(mutation)
    try removeMutation(mutation.id)
    try connection.run(
      """
      INSERT INTO letter (id, kind, entity, content) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (id) DO UPDATE SET kind = ?2, entity = ?3, content = ?4
      """, .text(mutation.id), .text(mutation.entity.kind), .text(mutation.entity.id), content)
  }

  func deadLetters() throws -> [Mutation] {
    try list(connection.run("SELECT content FROM letter ORDER BY number"))
  }

  func deadLetters(of entity: EntityKey) throws -> [Mutation] {
    try list(
      connection.run(
        "SELECT content FROM letter WHERE kind = ? AND entity = ? ORDER BY number", .text(entity.kind),
        .text(entity.id)))
  }

  func deadLetter(_ id: String) throws -> Mutation? {
    try connection.run("SELECT content FROM letter WHERE id = ?", .text(id)).first.map {
      try Self.decode($0[0])
    }
  }

  func removeDeadLetter(_ id: String) throws {
    try connection.run("DELETE FROM letter WHERE id = ?", .text(id))
  }

  /// The first column of rows, decoded.
  func list<Value: Decodable>(_ rows: [[AppValue]]) throws -> [Value] {
    try rows.map { try Self.decode($0[0]) }
  }
}
