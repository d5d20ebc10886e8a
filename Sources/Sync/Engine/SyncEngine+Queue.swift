package import Essentials

extension SyncEngine {
  /// Queues a local change: the mutation and the row in one transaction, visible at once.
  ///
  /// ```swift
  /// try await engine.queueMutation(.update, of: key, members: ["name": "run"])
  /// ```
  ///
  /// - Parameters:
  ///   - operation: What is done.
  ///   - entity: The entity.
  ///   - members: The members that are set; an explicit null clears. Nothing for a delete.
  /// - Returns: What that did to the queue.
  /// - Throws: ``SyncError`` when the store fails, or the members cannot be expressed in JSON.
  @discardableResult
  public func queueMutation(
    _ operation: Mutation.Operation, of entity: EntityKey, members: [String: SyncValue] = [:]
  ) async throws -> [QueueChange] {
    guard let payload = operation == .delete ? Data() : MemberPayload.payload(of: members) else {
      throw SyncError(.other, detail: "a number is not finite")
    }
    return try await queueMutation(operation, of: entity, payload: payload)
  }

  /// Queues a change whose payload comes from elsewhere; one that is not a JSON object is never sent.
  ///
  /// - Throws: ``SyncError`` when the store fails.
  @discardableResult
  package func queueMutation(
    _ operation: Mutation.Operation, of entity: EntityKey, payload: Data
  ) async throws -> [QueueChange] {
    try checkRunning()
    let changes = try queue(operation, of: entity, payload: payload)
    writeRecord()
    try await makeDurable()
    return changes
  }

  /// Removes every waiting mutation.
  ///
  /// - Parameter marksRows: Whether the rows become failed; else they count as synced, with what is in them.
  /// - Returns: How many were removed.
  /// - Throws: ``SyncError`` when the store fails.
  @discardableResult
  public func clearPending(marksRows: Bool = true) async throws -> Int {
    try checkRunning()
    let removed = try withStore { store in
      let removed = try store.removeAllMutations()
      // A row that stayed pending would be queued again by the next sweep.
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
    let made = makeMutation(operation, of: entity, payload: payload)
    let changes = try withStore { store in
      let changes = try self.enqueue(made, in: store)
      try store.save()
      return changes
    }
    try note(changes)
    if !changes.allSatisfy(\.isIgnored) { notify(.rows([entity])) }
    return changes
  }

  /// Adds a change to the queue and brings the row to what it says.
  private func enqueue(_ made: Mutation, in store: any SyncStore) throws -> [QueueChange] {
    var local = try LocalEntity(made.entity, in: store)
    let server = local.server
    var mutation = made
    if made.operation == .delete {
      mutation.payload = server.flatMap { MemberPayload.payload(of: $0) } ?? Data()
      mutation.baseVersion = local.row?.basis.version
    } else if made.operation == .create, local.row != nil, server != nil, local.waitingDelete == nil {
      // The server has it: another create would only be refused.
      mutation = made.turned(into: .update, payload: made.payload, key: made.idempotencyKey)
    }
    if made.operation == .update, local.waiting.isEmpty, let row = local.row, row.basis.isLocalOnly,
      let members = MemberPayload.members(of: made.payload)
    {
      // Its create was cleared: the server is told all there is.
      mutation = made.turned(
        into: .create, payload: MemberPayload.payload(of: row.members.setting(members)),
        key: made.idempotencyKey)
    }
    var changes = try store.enqueue(mutation)
    for (place, change) in changes.enumerated() {
      // A refused change that says something else now is another change to the server.
      guard case .replaced(var folded) = change, folded.attempts > 0 else { continue }
      folded.unsend(key: identifiers.random())
      (folded.attempts, folded.notBefore) = (0, nil)
      try store.update(folded)
      changes[place] = .replaced(folded)
    }
    // A change the server will never hear of must not change the row either.
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

  func makeMutation(_ operation: Mutation.Operation, of entity: EntityKey, payload: Data) -> Mutation {
    let now = environment.clock.wallTime
    return Mutation(
      id: identifiers.timeOrdered(at: now), idempotencyKey: identifiers.random(), entity: entity,
      operation: operation, payload: payload, createdAt: now, payloadVersion: environment.payloads.version)
  }

  /// Brings back the row of a delete that the server never took.
  func restoreDeleted(_ mutation: Mutation, in store: any SyncStore) throws {
    guard mutation.operation == .delete, try store.entity(mutation.entity) == nil, !mutation.payload.isEmpty,
      let members = MemberPayload.members(of: mutation.payload)
    else { return }
    let basis = ServerBasis(version: mutation.baseVersion)
    try upsertLinked(SyncEntity(key: mutation.entity, members: members, basis: basis), in: store)
  }

  /// Queues rows that are marked pending and have no mutation (docs/sync-engine.md, queue rule 3).
  ///
  /// A store that fails here fails in the run as well, where it is reported.
  func queueForgottenRows() {
    do {
      let changes = try withStore { store in
        var changes: [QueueChange] = []
        for row in try store.unqueuedPendingEntities() {
          guard let payload = MemberPayload.payload(of: row.members) else { continue }
          let isKnown = row.basis.version != nil && !row.basis.isLocalOnly
          let made = self.makeMutation(isKnown ? .update : .create, of: row.key, payload: payload)
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
    for change in changes {
      switch change {
      case .added(let mutation), .replaced(let mutation): record(mutation, .queued)
      case .removed(let mutation): record(mutation, .cleared)
      case .ignored: break
      }
    }
    if !changes.isEmpty { recordPending() }
    if changes.contains(where: { !$0.isIgnored }) { waitForQueue() }
  }
}

extension QueueChange {
  /// True if nothing happened.
  fileprivate var isIgnored: Bool {
    if case .ignored = self { true } else { false }
  }
}
