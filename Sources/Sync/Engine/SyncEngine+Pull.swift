extension SyncEngine {
  /// Fetches a page of the feed, applies it in one transaction and reports how far that went.
  func pullPage() async -> SyncAction? {
    do {
      let (cursor, limit) = (machine.cursor, machine.configuration.changePage)
      let page = try await call("a pull") { try await $0.changes(since: cursor, limit: limit) }
      try Task.checkCancellation()
      let next = page.cursor.isBeyond(cursor) ? page.cursor : nil
      let applied = try withStore { try self.apply(page.changes, leadingTo: next, in: $0) }
      return decide(.pageApplied(cursor: page.cursor, count: applied, hasMore: page.hasMore))
    } catch {
      let error = SyncError(wrapping: error)
      // Gone: what the feed had since that cursor is no longer there.
      let isGone = error.status == 410
      return fail(isGone ? SyncError(.cursorExpired, status: 410, detail: error.detail) : error)
    }
  }

  /// Applies changes; what cannot be applied yet is kept for later, and what was kept follows the row that it edits.
  ///
  /// - Parameter cursor: What the page leads to: kept in the same transaction, so that rows and cursor are one thing.
  /// - Returns: How many were applied.
  private func apply(_ changes: [RemoteChange], leadingTo cursor: SyncCursor?, in store: any SyncStore) throws
    -> Int
  {
    var applied = 0
    for change in changes where environment.domain[change.entity.kind] != nil {
      var waiting = [change]
      while !waiting.isEmpty {
        let next = waiting.removeFirst()
        switch try apply(next, to: store) {
        // A deleted entity has nothing more to wait for, whether it was here or not.
        case .skip: if next.operation == .delete { try store.removeQuarantine(of: next.entity) }
        case .quarantine: try store.addToQuarantine(next)
        case .remove:
          applied += 1
          try store.removeQuarantine(of: next.entity)
        case .upsert:
          applied += 1
          let kept = try store.quarantine(of: next.entity)
          guard !kept.isEmpty else { continue }
          try store.removeQuarantine(of: next.entity)
          waiting += kept
        }
      }
    }
    noteUnknown(changes)
    if let cursor { try store.setCursor(cursor) }
    try store.save()
    return applied
  }

  private func apply(_ change: RemoteChange, to store: any SyncStore) throws -> RowMerge.Outcome {
    let key = change.entity
    let mutations = try store.mutations(of: key)
    let outcome = RowMerge.outcome(
      of: change, on: try store.entity(key), edited: RowMerge.edited(by: mutations),
      hasPendingDelete: capturedDeletes.contains(key) || mutations.contains { $0.operation == .delete })
    switch outcome {
    case .upsert(var row):
      // What was given up stays marked, whatever the server says of the rest.
      if row.status == .synced, try !store.deadLetters(of: key).isEmpty { row.status = .failed }
      try upsertLinked(row, in: store)
    case .remove: try store.removeEntity(key)
    case .skip, .quarantine: break
    }
    return outcome
  }

  /// Writes a row with its link; rows that waited for a new one are linked to it.
  func upsertLinked(_ row: SyncEntity, in store: any SyncStore) throws {
    let isNew = try store.entity(row.key) == nil
    var linked = row
    linked.linkedTo = try link(of: row, in: store)
    try store.upsert(linked)
    guard isNew else { return }
    for var waiting in try store.entities(waitingFor: row.key) {
      waiting.linkedTo = row.key.id
      try store.upsert(waiting)
    }
  }

  private func link(of row: SyncEntity, in store: any SyncStore) throws -> String? {
    guard let link = environment.domain[row.key.kind]?.link, case .string(let id) = row.members[link.member],
      try store.entity(EntityKey(kind: link.kind, id: id)) != nil
    else { return nil }
    return id
  }

  private func noteUnknown(_ changes: [RemoteChange]) {
    for change in changes where environment.domain[change.entity.kind] == nil {
      unknownKinds[change.entity.kind, default: 0] += 1
    }
  }
}
