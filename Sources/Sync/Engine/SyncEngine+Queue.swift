public import Foundation

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
    let changes = try queue(operation, of: entity, members: members)
    writeRecord()
    return changes
  }

  /// Queues a change whose payload comes from elsewhere; one that is no JSON object is never sent.
  ///
  /// - Throws: ``SyncError`` when the store fails.
  @discardableResult
  public func queueMutation(
    _ operation: Mutation.Operation, of entity: EntityKey, payload: Data
  ) async throws -> [QueueChange] {
    let changes = try queue(operation, of: entity, payload: payload)
    writeRecord()
    return changes
  }

  /// Removes every waiting mutation.
  ///
  /// - Parameter marksRows: Whether the rows become failed; else they count as synced, with what is in them.
  /// - Returns: How many were removed.
  /// - Throws: ``SyncError`` when the store fails.
  @discardableResult
  public func clearPending(marksRows: Bool = true) async throws -> Int {
    let removed = try withStore { store in
      let removed = try store.removeAllMutations()
      // A row that stayed pending would be queued again by the next sweep.
      for mutation in removed {
        try self.restoreDeleted(mutation, in: store)
        try self.setStatus(marksRows ? .failed : .synced, of: mutation.entity, in: store)
      }
      try store.save()
      return removed
    }
    try refreshPending()
    for mutation in removed { record(mutation, .cleared) }
    recordPending()
    _ = decide(.pendingCleared)
    writeRecord()
    return removed.count
  }

  func queue(
    _ operation: Mutation.Operation, of entity: EntityKey, members: [String: SyncValue]
  ) throws -> [QueueChange] {
    guard let payload = operation == .delete ? Data() : MemberPayload.payload(of: members) else {
      throw SyncError(.other, detail: "a number is not finite")
    }
    return try queue(operation, of: entity, payload: payload)
  }

  private func queue(_ operation: Mutation.Operation, of entity: EntityKey, payload: Data) throws
    -> [QueueChange]
  {
    let mutation = makeMutation(operation, of: entity, payload: payload)
    let changes = try withStore { store in
      var mutation = mutation
      if operation == .delete { mutation.payload = try self.rowPayload(of: entity, in: store) }
      let changes = try store.enqueue(mutation)
      // What the server will never hear of must not change the row either.
      if !changes.allSatisfy(\.isIgnored) { try self.write(mutation, to: store) }
      try store.save()
      return changes
    }
    try note(changes)
    return changes
  }

  private func makeMutation(_ operation: Mutation.Operation, of entity: EntityKey, payload: Data) -> Mutation
  {
    let now = environment.clock.wallTime
    return Mutation(
      id: identifiers.timeOrdered(at: now), idempotencyKey: identifiers.random(), entity: entity,
      operation: operation, payload: payload, createdAt: now)
  }

  /// Brings the row to what the mutation says.
  private func write(_ mutation: Mutation, to store: any SyncStore) throws {
    guard mutation.operation != .delete else { return try store.removeEntity(mutation.entity) }
    let members = MemberPayload.members(of: mutation.payload) ?? [:]
    var row = RowMerge.merged(
      members, into: try store.entity(mutation.entity), key: mutation.entity, edited: [])
    row.status = .pending
    try upsertLinked(row, in: store)
  }

  /// The row that a delete removes, kept with it: the server still has it until the delete was taken.
  private func rowPayload(of entity: EntityKey, in store: any SyncStore) throws -> Data {
    try store.entity(entity).flatMap { MemberPayload.payload(of: $0.members) } ?? Data()
  }

  /// Brings back the row of a delete that the server never took.
  func restoreDeleted(_ mutation: Mutation, in store: any SyncStore) throws {
    guard mutation.operation == .delete, try store.entity(mutation.entity) == nil, !mutation.payload.isEmpty,
      let members = MemberPayload.members(of: mutation.payload)
    else { return }
    try upsertLinked(SyncEntity(key: mutation.entity, members: members, status: .synced), in: store)
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
          changes += try store.enqueue(self.makeMutation(.create, of: row.key, payload: payload))
        }
        if !changes.isEmpty { try store.save() }
        return changes
      }
      try note(changes)
    } catch {
      store = nil
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
  /// Whether nothing happened.
  fileprivate var isIgnored: Bool {
    if case .ignored = self { true } else { false }
  }
}
