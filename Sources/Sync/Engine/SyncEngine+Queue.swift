package import Essentials

extension SyncEngine {
  /// Queues a local change: mutation and row in one transaction, visible at once.
  ///
  /// ```swift
  /// try await engine.queueMutation(.update, of: key, members: ["name": "run"])
  /// ```
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - entity: The entity.
  ///   - members: The members to set; an explicit null clears one. Empty for a delete.
  /// - Returns: The effects on the queue.
  /// - Throws: ``SyncError`` if the store fails, if the members cannot be expressed in JSON, with the code `erased` if
  ///   everything was erased before the change was durable, or `repeatedIdentifier` if the generator of
  ///   ``SyncEnvironment`` repeats.
  @discardableResult
  public func queueMutation(
    _ operation: Mutation.Operation, of entity: EntityKey, members: [String: SyncValue] = [:]
  ) async throws -> [QueueChange] {
    guard let payload = operation == .delete ? Data() : MemberPayload.payload(of: members) else {
      throw SyncError(.other, detail: "a number is not finite")
    }
    return try await queueMutation(operation, of: entity, payload: payload)
  }

  /// Queues a change with a ready-made payload; one that is not a JSON object is never sent.
  ///
  /// - Throws: ``SyncError`` if the store fails.
  @discardableResult
  package func queueMutation(
    _ operation: Mutation.Operation, of entity: EntityKey, payload: Data
  ) async throws -> [QueueChange] {
    try checkRunning()
    let era = erasures
    let changes = try queue(operation, of: entity, payload: payload)
    writeRecord()
    try await makeDurable()
    guard era == erasures else { throw SyncError(.erased) }
    return changes
  }

  /// Removes all pending mutations.
  ///
  /// - Parameter marksRows: Whether the rows become failed; otherwise they count as synced, with their current values.
  /// - Returns: The number of mutations removed.
  /// - Throws: ``SyncError`` if the store fails.
  @discardableResult
  public func clearPending(marksRows: Bool = true) async throws -> Int {
    try checkRunning()
    let removed = try withStore { store in
      let removed = try store.removeAllMutations()
      // The next sweep would queue a row that stays pending.
      for mutation in removed {
        try self.restoreDeleted(mutation, in: store)
        guard var row = try store.entity(mutation.entity) else { continue }
        row.status = marksRows ? .failed : .synced
        if mutation.operation == .create { row.basis.isLocalOnly = row.basis.members == nil }
        row.basis.members = nil
        try store.upsert(row)
      }
      try store.save()
      return removed
    }
    try refreshPending()
    for mutation in removed { record(mutation, .cleared) }
    recordPending()
    _ = decide(.pendingCleared)
    notify(.rows(Set(removed.map(\.entity))))
    writeRecord()
    try await makeDurable()
    return removed.count
  }

  private func queue(_ operation: Mutation.Operation, of entity: EntityKey, payload: Data) throws
    -> [QueueChange]
  {
    let made = try makeMutation(operation, of: entity, payload: payload)
    let changes = try withStore { store in
      let changes = try self.enqueue(made, in: store)
      try store.save()
      return changes
    }
    try note(changes)
    if !changes.allSatisfy(\.isIgnored) { notify(.rows([entity])) }
    return changes
  }

  /// Adds a change to the queue and updates the row.
  private func enqueue(_ made: Mutation, in store: any SyncStore) throws -> [QueueChange] {
    guard try store.mutation(made.id) == nil, try store.deadLetter(made.id) == nil else {
      throw SyncError(.repeatedIdentifier, detail: made.id)
    }
    var local = try LocalEntity(made.entity, in: store)
    let server = local.server
    var mutation = made
    if made.operation == .delete {
      mutation.payload = server.flatMap { MemberPayload.payload(of: $0) } ?? Data()
      mutation.baseVersion = local.row?.basis.version
    } else if made.operation == .create, local.row != nil, server != nil, local.waitingDelete == nil {
      // The server has the entity: another create would only be refused.
      mutation = made.turned(into: .update, payload: made.payload, key: made.idempotencyKey)
    }
    if made.operation == .update, local.waiting.isEmpty, let row = local.row, row.basis.isLocalOnly,
      let members = MemberPayload.members(of: made.payload)
    {
      // The create was cleared: the server needs all members.
      mutation = made.turned(
        into: .create, payload: MemberPayload.payload(of: row.members.setting(members)),
        key: made.idempotencyKey)
    }
    var changes = try store.enqueue(mutation)
    for (place, change) in changes.enumerated() {
      // With a different payload, a refused change is a new change to the server.
      guard case .replaced(var folded) = change, folded.attempts > 0 else { continue }
      folded.unsend(key: identifiers.random())
      (folded.attempts, folded.notBefore) = (0, nil)
      try store.update(folded)
      changes[place] = .replaced(folded)
    }
    // A change that the server will never receive must not change the row either.
    guard !changes.allSatisfy(\.isIgnored) else { return changes }
    if made.operation == .delete {
      try store.removeEntity(made.entity)
    } else {
      local = try LocalEntity(made.entity, in: store)
      local.lay(over: server ?? (mutation.operation == .update && local.row == nil ? [:] : nil))
      if let row = local.row { try upsertLinked(row, in: store) }
    }
    return changes
  }

  private func makeMutation(_ operation: Mutation.Operation, of entity: EntityKey, payload: Data) throws
    -> Mutation
  {
    let now = environment.clock.wallTime
    return Mutation(
      id: identifiers.timeOrdered(at: now), idempotencyKey: try identifiers.key(), entity: entity,
      operation: operation, payload: payload, createdAt: now, payloadVersion: environment.payloads.version)
  }

  /// Restores the row of a delete that the server never accepted.
  func restoreDeleted(_ mutation: Mutation, in store: any SyncStore) throws {
    guard mutation.operation == .delete, try store.entity(mutation.entity) == nil, !mutation.payload.isEmpty,
      let members = MemberPayload.members(of: mutation.payload)
    else { return }
    let basis = ServerBasis(version: mutation.baseVersion)
    try upsertLinked(SyncEntity(key: mutation.entity, members: members, basis: basis), in: store)
  }

  /// Queues rows marked pending without a mutation (docs/sync-engine.md, queue rule 3).
  ///
  /// If the store fails here, it fails in the run too, which reports it.
  func queueForgottenRows() {
    do {
      let changes = try withStore { store in
        var changes: [QueueChange] = []
        for row in try store.unqueuedPendingEntities() {
          guard let payload = MemberPayload.payload(of: row.members) else { continue }
          let isKnown = row.basis.version != nil && !row.basis.isLocalOnly
          let made = try self.makeMutation(isKnown ? .update : .create, of: row.key, payload: payload)
          changes += try store.enqueue(made)
        }
        if !changes.isEmpty { try store.save() }
        return changes
      }
      try note(changes)
    } catch {
      dropStore()
    }
  }

  func note(_ changes: [QueueChange]) throws {
    try refreshPending()
    // The timer first: the records tell the next run.
    if changes.contains(where: { !$0.isIgnored }) { waitForQueue() }
    for change in changes {
      switch change {
      case .added(let mutation), .replaced(let mutation): record(mutation, .queued)
      case .removed(let mutation): record(mutation, .cleared)
      case .ignored: break
      }
    }
    if !changes.isEmpty { recordPending() }
  }
}

extension QueueChange {
  /// True if the change had no effect.
  fileprivate var isIgnored: Bool {
    if case .ignored = self { true } else { false }
  }
}
