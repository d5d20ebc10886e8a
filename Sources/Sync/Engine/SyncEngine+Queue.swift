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
    return try await queue(
      EntityChange(operation: operation, entity: entity, payload: payload, members: members))
  }

  /// Queues a change with a ready-made payload; one that is not a JSON object is never sent.
  ///
  /// - Throws: ``SyncError`` if the store fails.
  @discardableResult
  package func queueMutation(
    _ operation: Mutation.Operation, of entity: EntityKey, payload: Data
  ) async throws -> [QueueChange] {
    try await queue(EntityChange(operation: operation, entity: entity, payload: payload))
  }

  private func queue(_ change: EntityChange) async throws -> [QueueChange] {
    try checkRunning()
    let era = erasures
    let changes: [QueueChange]
    if isSyncingDisk {
      // Many callers share the transaction after the sync.
      changes = try await withCheckedThrowingContinuation {
        joining.append(JoiningChange(change: change, era: era, continuation: $0))
      }
    } else {
      changes = try queue([change])[0]
      writeRecord()
      try await makeDurable()
    }
    guard era == erasures else { throw SyncError(.erased) }
    return changes
  }

  /// Queues changes that came during the last sync to disk, in one transaction; they wait for the next sync.
  func queueJoining() {
    // A limit, because other calls wait meanwhile, and room is kept for a group.
    let requests = Array(joining.prefix(200))
    joining.removeFirst(requests.count)
    guard !requests.isEmpty else { return }
    var results: [Result<[QueueChange], any Error>]
    do {
      guard requests.allSatisfy({ $0.era == erasures }) else { throw SyncError(.erased) }
      results = try queue(requests.map(\.change)).map { .success($0) }
    } catch {
      // Only the change that cannot be stored fails.
      results = requests.map { request in
        Result {
          guard request.era == erasures else { throw SyncError(.erased) }
          return try queue([request.change])[0]
        }
      }
    }
    writeRecord()
    for (request, result) in zip(requests, results) {
      switch result {
      case .success(let changes):
        durabilityWaiters.append { request.continuation.resume(with: $0.map { changes }) }
      case .failure(let error): request.continuation.resume(throwing: error)
      }
    }
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

  /// Queues changes in one transaction, all or none.
  ///
  /// - Returns: The effects of each.
  private func queue(_ changes: [EntityChange]) throws -> [[QueueChange]] {
    let made = try changes.map(makeMutation)
    let bytes = made.reduce(0) { $0 + $1.payload.count }
    let effects = try withStore(usesRoom: false) { store in
      try store.keepRoom(for: bytes)
      let effects = try zip(made, changes).map { try self.enqueue($0, $1, in: store) }
      try store.save()
      return effects
    }
    try note(effects.flatMap(\.self))
    notify(
      .rows(
        Set(zip(changes, effects).filter { !$1.allSatisfy(\.isIgnored) }.map(\.0.entity))))
    return effects
  }

  /// Adds a change to the queue and updates the row.
  private func enqueue(_ made: Mutation, _ change: EntityChange, in store: any SyncStore) throws
    -> [QueueChange]
  {
    guard try store.deadLetter(made.id) == nil else {
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
    // A store ignores an id that is pending.
    if changes == [.ignored(mutation)], try store.mutation(made.id) != nil {
      throw SyncError(.repeatedIdentifier, detail: made.id)
    }
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
      let isNew = local.row == nil
      local.known = change.members.map { (change.payload, $0) }
      local.follow(changes)
      local.lay(over: server ?? (mutation.operation == .update && isNew ? [:] : nil))
      if let row = local.row { try upsertLinked(row, isNew: isNew, in: store) }
    }
    return changes
  }

  private func makeMutation(_ change: EntityChange) throws -> Mutation {
    let now = environment.clock.wallTime
    return Mutation(
      id: identifiers.timeOrdered(at: now), idempotencyKey: try identifiers.key(), entity: change.entity,
      operation: change.operation, payload: change.payload, createdAt: now,
      payloadVersion: environment.payloads.version)
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
          changes += try store.enqueue(
            self.makeMutation(
              EntityChange(operation: isKnown ? .update : .create, entity: row.key, payload: payload)))
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

/// A local change to queue.
struct EntityChange {
  let operation: Mutation.Operation
  let entity: EntityKey
  let payload: Data
  /// The members of the payload, if they are known as they would be read from it.
  let members: [String: SyncValue]?

  init(
    operation: Mutation.Operation, entity: EntityKey, payload: Data, members: [String: SyncValue]? = nil
  ) {
    (self.operation, self.entity, self.payload) = (operation, entity, payload)
    let isPlain = members?.values.allSatisfy { value in
      switch value {
      case .null, .bool, .int, .string: true
      // 2.0 is read as 2, and what is nested too deep not at all.
      case .double, .array, .object: false
      }
    }
    self.members = isPlain == true ? members : nil
  }
}

/// A change that waits for the transaction after the sync to disk in progress.
struct JoiningChange {
  let change: EntityChange
  /// The number of erases before it.
  let era: Int
  let continuation: CheckedContinuation<[QueueChange], any Error>
}

extension QueueChange {
  /// True if the change had no effect.
  fileprivate var isIgnored: Bool {
    if case .ignored = self { true } else { false }
  }
}
