import Essentials

extension SyncEngine {
  /// The dead letters, oldest first.
  ///
  /// - Throws: ``SyncError`` if the store fails.
  public func deadLetters() throws -> [Mutation] {
    try withStore { try $0.deadLetters() }
  }

  /// Returns a dead letter to the queue with its attempts reset, beneath later changes of its entity: the newer edit
  /// wins, member by member.
  ///
  /// - Returns: Whether there is such a dead letter; one superseded as a whole by newer edits, or by the entity's
  ///   deletion, is removed.
  /// - Throws: ``SyncError`` if the store fails.
  @discardableResult
  public func requeueDeadLetter(_ id: String) async throws -> Bool {
    try checkRunning()
    let changes = try withStore { store -> (entity: EntityKey, changes: [QueueChange])? in
      guard let letter = try store.deadLetter(id) else { return nil }
      let changes = try self.requeue(letter, in: store)
      try store.save()
      return (letter.entity, changes)
    }
    try note(changes?.changes ?? [])
    for case .ignored(let letter) in changes?.changes ?? [] { record(letter, .superseded) }
    if let changes { notify(.rows([changes.entity])) }
    writeRecord()
    try await makeDurable()
    return changes != nil
  }

  /// Discards a dead letter permanently, with the change in it.
  ///
  /// The row of a create goes with it, as do the pending edits of that row, since the server will never have it. Any
  /// other row is the server's, under its remaining pending changes.
  ///
  /// - Returns: Whether there was such a dead letter.
  /// - Throws: ``SyncError`` if the store fails.
  @discardableResult
  public func discardDeadLetter(_ id: String) async throws -> Bool {
    try checkRunning()
    let forgotten = try withStore { store -> [Mutation] in
      guard let letter = try store.deadLetter(id) else { return [] }
      let edits = try self.forget(letter, in: store)
      try store.save()
      return [letter] + edits
    }
    try refreshPending()
    for mutation in forgotten { record(mutation, .cleared) }
    if forgotten.count > 1 { recordPending() }
    notify(.rows(Set(forgotten.map(\.entity))))
    writeRecord()
    try await makeDurable()
    return !forgotten.isEmpty
  }

  /// - Returns: Edits discarded with it: those of an entity that the server will never have.
  private func forget(_ letter: Mutation, in store: any SyncStore) throws -> [Mutation] {
    var local = try LocalEntity(letter.entity, in: store)
    let server = local.server
    try store.removeDeadLetter(letter.id)
    local.dead.removeAll { $0.id == letter.id }
    guard local.row != nil else { return [] }
    if letter.operation == .create, server == nil, local.waitingDelete == nil,
      !local.waiting.contains(where: { $0.operation == .create })
    {
      (local.waiting, local.row) = ([], nil)
    } else {
      local.lay(over: server)
    }
    try local.write(to: store, upsert: upsertLinked)
    return local.removed
  }

  private func requeue(_ letter: Mutation, in store: any SyncStore) throws -> [QueueChange] {
    let local = try LocalEntity(letter.entity, in: store)
    let server = local.server
    try store.removeDeadLetter(letter.id)
    guard letter.operation != .delete else {
      // Pending changes are newer than the entity's deletion.
      if !local.waiting.isEmpty { return [.ignored(letter)] }
      try store.removeEntity(letter.entity)
      var delete = letter.revived(with: letter.payload)
      delete.baseVersion = local.row?.basis.version ?? letter.baseVersion
      return try store.enqueue(delete)
    }
    guard local.waitingDelete == nil else { return [.ignored(letter)] }
    var letter = letter
    if letter.operation == .update, local.row == nil {
      // The server's entity is gone: the rest of the change creates it again.
      letter = letter.turned(into: .create, payload: letter.payload, key: identifiers.random())
    }
    let changes = try requeueEdit(letter, local.waiting, in: store)
    var revived = try LocalEntity(letter.entity, in: store)
    revived.lay(over: server ?? (letter.operation == .update ? local.row?.members ?? [:] : nil))
    try revived.write(to: store, upsert: upsertLinked)
    return changes
  }

  private func requeueEdit(_ letter: Mutation, _ waiting: [Mutation], in store: any SyncStore) throws
    -> [QueueChange]
  {
    guard let members = MemberPayload.members(of: letter.payload) else {
      return try store.enqueue(letter.revived(with: letter.payload))
    }
    let newer = LocalEntity.members(of: waiting[...])
    let left = members.filter { newer[$0.key] == nil }
    if letter.operation == .update {
      guard !left.isEmpty || members.isEmpty else { return [.ignored(letter)] }
      return try store.enqueue(letter.revived(with: left, of: members, newKey: identifiers.random()))
    }
    if waiting.contains(where: { $0.operation == .create }) {
      // The entity is already being created: members that the create does not set follow as an edit.
      guard !left.isEmpty else { return [.ignored(letter)] }
      let edit = letter.turned(
        into: .update, payload: MemberPayload.payload(of: left), key: identifiers.random())
      return try store.enqueue(edit)
    }
    if letter.mayHaveBeenSent {
      // The server may have the create under its key: the edits stay unchanged behind it.
      for edit in waiting { try store.removeMutation(edit.id) }
      var changes = try store.enqueue(letter.revived(with: letter.payload))
      for edit in waiting { changes += try store.enqueue(edit) }
      return changes
    }
    // A create precedes pending edits: those never sent become part of it.
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

  func setStatus(_ status: SyncEntity.Status, of key: EntityKey, in store: any SyncStore) throws {
    guard var row = try store.entity(key), row.status != status else { return }
    row.status = status
    try store.upsert(row)
  }
}

extension Mutation {
  /// A copy with the attempts reset that sets `members`; under a new key if the server may know the old one with other
  /// members.
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
      createdAt: createdAt, lastError: lastError, mayHaveBeenSent: mayHaveBeenSent && key == nil,
      editedAt: editedAt, payloadVersion: payloadVersion)
  }
}
