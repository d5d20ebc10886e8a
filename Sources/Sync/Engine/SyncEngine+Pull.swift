extension SyncEngine {
  /// Fetches a page of the feed, applies it in one transaction and reports how far that went.
  func pullPage() async -> SyncAction? {
    do {
      let (cursor, limit) = (machine.cursor, machine.configuration.changePage)
      let page = try await call("a pull") { try await $0.changes(since: cursor, limit: limit) }
      try Task.checkCancellation()
      // Moved meanwhile, by the app: what comes after its new place is what counts.
      guard machine.cursor == cursor else { return .pull }
      let next = page.cursor.isBeyond(cursor) ? page.cursor : nil
      let applied = try apply(page.changes, leadingTo: next)
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
  private func apply(_ changes: [RemoteChange], leadingTo cursor: SyncCursor?) throws -> Int {
    var (applied, done) = (0, EntityChanges())
    try withStore { store in
      (applied, done) = (0, EntityChanges())
      for change in changes where environment.domain[change.entity.kind] != nil {
        applied += try self.apply(change, to: store, &done)
      }
      if let cursor { try store.setCursor(cursor) }
      try store.save()
    }
    noteUnknown(changes)
    note(done)
    return applied
  }

  /// - Returns: How many changes that made, with those that waited for it.
  private func apply(_ change: RemoteChange, to store: any SyncStore, _ done: inout EntityChanges) throws
    -> Int
  {
    var applied = 0
    var waiting = [change]
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      var local = try LocalEntity(next.entity, in: store)
      let effect = local.take(next, by: judge)
      if effect != .quarantined, local.row != nil || effect == .removed || !local.waiting.isEmpty {
        try local.write(to: store, upsert: upsertLinked)
        done.add(local)
      }
      switch effect {
      // A deleted entity has nothing more to wait for, whether it was here or not.
      case .skipped: if next.operation == .delete { try store.removeQuarantine(of: next.entity) }
      case .quarantined: try store.addToQuarantine(next)
      case .removed:
        applied += 1
        try store.removeQuarantine(of: next.entity)
      case .written:
        applied += 1
        let kept = try store.quarantine(of: next.entity)
        guard !kept.isEmpty else { continue }
        try store.removeQuarantine(of: next.entity)
        waiting += kept
      }
    }
    return applied
  }

  /// Records what a transaction of the pull did to the queue, and tells the rest.
  func note(_ done: EntityChanges) {
    if !done.settled.isEmpty || !done.removed.isEmpty {
      // It is stored; a store that fails now fails again where that is reported.
      do { try refreshPending() } catch { dropStore() }
    }
    for mutation in done.settled { record(mutation, .acknowledged) }
    tell(done)
    if !done.settled.isEmpty || !done.removed.isEmpty { recordPending() }
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
    guard let target = environment.domain.target(of: row), try store.entity(target) != nil else { return nil }
    return target.id
  }

  private func noteUnknown(_ changes: [RemoteChange]) {
    for change in changes where environment.domain[change.entity.kind] == nil {
      unknownKinds[change.entity.kind, default: 0] += 1
    }
  }
}
