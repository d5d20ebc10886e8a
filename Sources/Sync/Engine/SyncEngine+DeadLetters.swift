import Foundation

extension SyncEngine {
  /// The dead letters, oldest first.
  ///
  /// - Throws: ``SyncError`` when the store fails.
  public func deadLetters() throws -> [Mutation] {
    try withStore { try $0.deadLetters() }
  }

  /// Puts a dead letter back into the queue with no attempt counted, below what was queued for its entity later: the
  /// newer edit wins, member by member.
  ///
  /// - Returns: Whether there is such a dead letter.
  /// - Throws: ``SyncError`` when the store fails.
  @discardableResult
  public func requeueDeadLetter(_ id: String) async throws -> Bool {
    let changes = try withStore { store -> [QueueChange]? in
      guard let letter = try store.deadLetters().first(where: { $0.id == id }) else { return nil }
      try store.removeDeadLetter(id)
      let changes = try self.requeue(letter, in: store)
      try store.save()
      return changes
    }
    try note(changes ?? [])
    writeRecord()
    return changes != nil
  }

  /// Forgets a dead letter for good: what it wanted is given up.
  ///
  /// The row of a create goes with it, since the server will never have it; another row counts as synced again, unless
  /// something else of its entity waits.
  ///
  /// - Returns: Whether there was such a dead letter.
  /// - Throws: ``SyncError`` when the store fails.
  @discardableResult
  public func discardDeadLetter(_ id: String) async throws -> Bool {
    let letter = try withStore { store -> Mutation? in
      guard let letter = try store.deadLetters().first(where: { $0.id == id }) else { return nil }
      try store.removeDeadLetter(id)
      if try store.mutations(of: letter.entity).isEmpty, try store.deadLetters(of: letter.entity).isEmpty {
        if letter.operation == .create {
          try store.removeEntity(letter.entity)
        } else {
          try self.setStatus(.synced, of: letter.entity, in: store)
        }
      }
      try store.save()
      return letter
    }
    if let letter { record(letter, .cleared) }
    writeRecord()
    return letter != nil
  }

  private func requeue(_ letter: Mutation, in store: any SyncStore) throws -> [QueueChange] {
    let waiting = try store.mutations(of: letter.entity)
    guard letter.operation != .delete else {
      // Whatever was wanted of the entity since then is newer than its end.
      if !waiting.isEmpty { return [.ignored(letter)] }
      try store.removeEntity(letter.entity)
      return try store.enqueue(letter.revived(with: letter.payload))
    }
    guard !waiting.contains(where: { $0.operation == .delete }) else { return [.ignored(letter)] }
    guard let members = MemberPayload.members(of: letter.payload) else {
      return try store.enqueue(letter.revived(with: letter.payload))
    }
    let newer = RowMerge.edited(by: waiting)
    let left = members.filter { !newer.contains($0.key) }
    try restoreRow(left, of: letter.entity, in: store)
    if letter.operation == .update {
      guard !left.isEmpty || members.isEmpty else { return [.ignored(letter)] }
      return try store.enqueue(letter.revived(with: left, of: members, newKey: identifiers.random()))
    }
    // A create comes before the edits that wait: those that were not sent become a part of it.
    var all = members
    var changes: [QueueChange] = []
    for edit in waiting where !edit.mayHaveBeenSent {
      guard let edited = MemberPayload.members(of: edit.payload) else { continue }
      all.merge(edited) { $1 }
      try store.removeMutation(edit.id)
      changes.append(.removed(edit))
    }
    return changes + (try store.enqueue(letter.revived(with: all, of: members, newKey: identifiers.random())))
  }

  /// Writes members beneath what was edited since.
  private func restoreRow(
    _ members: [String: SyncValue], of entity: EntityKey, in store: any SyncStore
  ) throws {
    var row = RowMerge.merged(members, into: try store.entity(entity), key: entity, edited: [])
    row.status = .pending
    try upsertLinked(row, in: store)
  }

  func setStatus(_ status: SyncEntity.Status, of key: EntityKey, in store: any SyncStore) throws {
    guard var row = try store.entity(key), row.status != status else { return }
    row.status = status
    try store.upsert(row)
  }
}

extension Mutation {
  /// The same with no attempt counted, setting `members`; under a new key where the server may know the old one with
  /// other members.
  fileprivate func revived(
    with members: [String: SyncValue], of old: [String: SyncValue], newKey: String
  ) -> Mutation {
    guard members != old, let payload = MemberPayload.payload(of: members) else {
      return revived(with: payload)
    }
    return revived(with: payload, key: mayHaveBeenSent ? newKey : nil)
  }

  fileprivate func revived(with payload: Data, key: String? = nil) -> Mutation {
    Mutation(
      id: id, idempotencyKey: key ?? idempotencyKey, entity: entity, operation: operation, payload: payload,
      createdAt: createdAt, lastError: lastError, mayHaveBeenSent: mayHaveBeenSent && key == nil)
  }
}
