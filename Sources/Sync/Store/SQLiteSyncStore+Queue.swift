// The queue and the dead letters.
extension SQLiteSyncStore {
  func pendingCount() throws -> Int { try run("SELECT waiting FROM tally").first?[0].number ?? 0 }

  func enqueue(_ mutation: Mutation) throws -> [QueueChange] {
    guard try run("SELECT 1 FROM mutation WHERE id = ?", .text(mutation.id)).isEmpty else {
      return [.ignored(mutation)]
    }
    let changes = QueueRules.changes(adding: mutation, to: try mutations(of: mutation.entity))
    for change in changes {
      switch change {
      case .added(let mutation): try add(mutation, number: database.nextSequence())
      case .replaced(let mutation): try update(mutation)
      case .removed(let mutation): try removeMutation(mutation.id)
      case .ignored: break
      }
    }
    return changes
  }

  /// Writes a pending mutation; it is no longer a dead letter.
  func add(_ mutation: Mutation, number: Int64) throws {
    try database.run(
      """
      INSERT INTO mutation VALUES (?1, ?2, NOT EXISTS (
        SELECT 1 FROM mutation WHERE kind = ?5 AND entity = ?6 AND sequence < ?1), ?3, ?4, ?5, ?6, ?7, ?8)
      """, [.integer(number), lane(of: mutation)] + mutation.sealedColumns())
    try removeDeadLetter(mutation.id)
  }

  func update(_ mutation: Mutation) throws {
    let found = try run("SELECT sequence, kind, entity FROM mutation WHERE id = ?", .text(mutation.id))
    guard let old = found.first, case .integer(let number) = old[0] else { return }
    guard old[1] == .text(mutation.entity.kind), old[2] == .text(mutation.entity.id) else {
      // It belongs to another entity now: the oldest mutation of either may change.
      try removeMutation(mutation.id)
      return try add(mutation, number: number)
    }
    let columns = try mutation.sealedColumns()
    try run(
      "UPDATE mutation SET lane = ?, seal = ?, payload = ?, content = ? WHERE sequence = ?",
      lane(of: mutation),
      columns[0], columns[4], columns[5], .integer(number))
  }

  func nextMutations(after position: QueuePosition?, limit: Int) throws -> [QueuedMutation] {
    let found = try run(
      """
      SELECT lane, sequence, \(Mutation.columns) FROM mutation
      WHERE is_head AND (lane, sequence) > (?, ?) ORDER BY lane, sequence LIMIT ?
      """, .number(position?.lane ?? -1), .number(position?.sequence ?? 0), .number(max(0, limit)))
    let lane = found.prefix { $0[0] == found[0][0] }
    let mutations = try list(Array(lane)) { Mutation($0.dropFirst(2)) }
    return zip(lane, mutations).map { columns, mutation in
      QueuedMutation(
        mutation: mutation, position: QueuePosition(lane: columns[0].number, sequence: columns[1].number))
    }
  }

  func mutations(of entity: EntityKey) throws -> [Mutation] {
    try list(
      run(
        "SELECT \(Mutation.columns) FROM mutation WHERE kind = ? AND entity = ? ORDER BY sequence",
        .text(entity.kind), .text(entity.id)), Mutation.init)
  }

  func mutations() throws -> [Mutation] {
    try list(run("SELECT \(Mutation.columns) FROM mutation ORDER BY sequence"), Mutation.init)
  }

  func mutation(_ id: String) throws -> Mutation? {
    try list(run("SELECT \(Mutation.columns) FROM mutation WHERE id = ?", .text(id)), Mutation.init).first
  }

  func removeMutation(_ id: String) throws { try run("DELETE FROM mutation WHERE id = ?", .text(id)) }

  func removeAllMutations() throws -> [Mutation] {
    let all = try mutations()
    try run("DELETE FROM mutation")
    return all
  }

  func bury(_ mutation: Mutation) throws {
    try removeMutation(mutation.id)
    try database.run(
      """
      INSERT INTO letter (\(Mutation.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (id) DO UPDATE SET seal = ?1, kind = ?3, entity = ?4, payload = ?5, content = ?6
      """, mutation.sealedColumns())
  }

  func deadLetters() throws -> [Mutation] {
    try list(run("SELECT \(Mutation.columns) FROM letter ORDER BY number"), Mutation.init)
  }

  func deadLetters(of entity: EntityKey) throws -> [Mutation] {
    try list(
      run(
        "SELECT \(Mutation.columns) FROM letter WHERE kind = ? AND entity = ? ORDER BY number",
        .text(entity.kind),
        .text(entity.id)), Mutation.init)
  }

  func deadLetter(_ id: String) throws -> Mutation? {
    try list(run("SELECT \(Mutation.columns) FROM letter WHERE id = ?", .text(id)), Mutation.init).first
  }

  func removeDeadLetter(_ id: String) throws { try run("DELETE FROM letter WHERE id = ?", .text(id)) }
}
