import Essentials

extension SyncEngine {
  /// Fetches a page of the feed, applies it in one transaction and reports the progress.
  func pullPage() async -> SyncAction? {
    do {
      let (cursor, limit) = (machine.cursor, machine.configuration.changePage)
      let page = try await call("a pull") { try await $0.changes(since: cursor, limit: limit) }
      try Task.checkCancellation()
      // The app moved the cursor in the meantime: the page is obsolete.
      guard machine.cursor == cursor else { return .pull }
      let next = machine.movesOn(to: page.cursor) ? page.cursor : nil
      let applied = try apply(page.changes, leadingTo: next)
      return decide(.pageApplied(cursor: page.cursor, count: applied, hasMore: page.hasMore))
    } catch {
      let error = SyncError(wrapping: error)
      // 410 Gone: the feed no longer reaches back to that cursor.
      let isGone = error.status == 410
      return fail(isGone ? SyncError(.cursorExpired, status: 410, detail: error.detail) : error)
    }
  }

  /// Applies changes; those that cannot be applied yet are quarantined, and quarantined edits follow once their row
  /// arrives.
  ///
  /// - Parameter cursor: The cursor after the page, stored in the same transaction to keep rows and cursor consistent.
  /// - Returns: The number of changes applied.
  private func apply(_ changes: [RemoteChange], leadingTo cursor: SyncCursor?) throws -> Int {
    var (applied, done) = (0, EntityChanges())
    try withStore(usesRoom: false) { store in
      (applied, done) = (0, EntityChanges())
      var judge = judge
      judge.lead = self.lead(over: changes)
      for change in changes where environment.domain[change.entity.kind] != nil {
        applied += try self.apply(change, to: store, by: judge, &done)
      }
      if let cursor { try store.setCursor(cursor) }
      try store.save()
    }
    noteUnknown(changes)
    note(done)
    return applied
  }

  /// How far the wall clock is ahead of the server's, if it differs from the newest change by more than a month: less
  /// may be the age of that change.
  private func lead(over changes: [RemoteChange]) -> TimeInterval {
    guard let newest = changes.compactMap(\.time).max() else { return 0 }
    let lead = environment.clock.wallTime.timeIntervalSince(newest)
    return abs(lead) > 30 * 86_400 ? lead : 0
  }

  /// - Returns: The number of changes applied, quarantined ones included.
  private func apply(
    _ change: RemoteChange, to store: any SyncStore, by judge: ConflictJudge, _ done: inout EntityChanges
  ) throws -> Int {
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
      // Nothing can follow a deleted entity, known here or not.
      case .skipped: if next.operation == .delete { try store.removeQuarantine(of: next.entity) }
      case .quarantined: try store.addToQuarantine(next.unkeyed)
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

  /// Records what a pull transaction did to the queue, and reports the rest.
  func note(_ done: EntityChanges) {
    if !done.settled.isEmpty || !done.removed.isEmpty {
      // The rows are stored; if the store fails now, a later use reports it.
      do { try refreshPending() } catch { dropStore() }
    }
    for mutation in done.settled { record(mutation, .acknowledged) }
    tell(done)
    if !done.settled.isEmpty || !done.removed.isEmpty { recordPending() }
  }

  /// Writes a row with its link; rows waiting for a new row are linked to it.
  func upsertLinked(_ row: SyncEntity, in store: any SyncStore) throws {
    try upsertLinked(row, isNew: store.entity(row.key) == nil, in: store)
  }

  /// Writes a row that is known to be new or not.
  func upsertLinked(_ row: SyncEntity, isNew: Bool, in store: any SyncStore) throws {
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
