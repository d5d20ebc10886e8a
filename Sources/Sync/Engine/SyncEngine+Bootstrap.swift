extension SyncEngine {
  /// Fetches all kinds into memory, or only those that are new to this app, then replaces the local rows in one
  /// transaction.
  func bootstrap() async -> SyncAction? {
    do {
      let isWhole = machine.wantsResync || machine.cursor.isStart
      let kinds = environment.domain.kinds.filter { isWhole || machine.missingKinds.contains($0.name) }
      // The cursor first: the feed then contains everything that changes on the server during the fetch.
      let cursor =
        isWhole ? try await call("the latest cursor") { try await $0.latestCursor() } : machine.cursor
      try Task.checkCancellation()
      let staging = try await stage(kinds)
      try Task.checkCancellation()
      let count = try swap(staging, of: kinds, leadingTo: cursor)
      startOver = nil
      return decide(.bootstrapApplied(cursor: cursor, count: count))
    } catch {
      return fail(SyncError(wrapping: error))
    }
  }

  /// Fetches kinds; any failure fails the whole fetch, so that a partial one never counts as complete.
  private func stage(_ kinds: [EntityKind]) async throws -> BootstrapStaging {
    var staging = BootstrapStaging()
    var pages = 0
    for kind in kinds {
      guard let ownerKind = kind.fetchedPer else {
        staging.add(try await entities(of: kind, ownedBy: nil, &pages), of: kind)
        continue
      }
      let owners =
        kinds.contains { $0.name == ownerKind }
        ? staging.ids(of: ownerKind) : try withStore { try $0.entities(of: ownerKind).map(\.key.id) }
      for owner in owners {
        staging.add(try await entities(of: kind, ownedBy: owner, &pages), of: kind)
      }
    }
    return staging
  }

  /// - Parameter pages: The number of pages fetched so far.
  private func entities(
    of kind: EntityKind, ownedBy owner: String?, _ pages: inout Int
  ) async throws -> [RemoteEntity] {
    var all: [RemoteEntity] = []
    var page: String?
    var seen: Set<String> = []
    repeat {
      pages += 1
      guard pages <= machine.configuration.maxPages else {
        throw SyncError(.cursorStuck, detail: "more than \(machine.configuration.maxPages) pages")
      }
      let next = page
      let answer = try await call("a list") {
        try await $0.entities(of: kind, ownedBy: owner, page: next, limit: kind.bootstrapPage)
      }
      try Task.checkCancellation()
      all += answer.entities
      page = answer.next
      if let page, !seen.insert(page).inserted { throw SyncError(.cursorStuck) }
    } while page != nil
    return all
  }

  /// Replaces the rows, lays pending changes over them, and links.
  ///
  /// - Returns: The number of rows written.
  private func swap(_ staging: BootstrapStaging, of kinds: [EntityKind], leadingTo cursor: SyncCursor) throws
    -> Int
  {
    var (written, done) = (0, EntityChanges())
    try withStore(usesRoom: false) { store in
      (written, done) = (0, EntityChanges())
      for kind in kinds {
        for row in try store.entities(of: kind.name) where !staging.contains(row.key) {
          try self.leaveOut(row, in: store, &done)
        }
      }
      for (kind, entities) in staging.entities {
        for entity in entities { written += try self.write(entity, of: kind, to: store, &done) }
        try store.removeQuarantine(of: kind.name)
      }
      try store.setCursor(cursor)
      try store.setFetchedKinds(Set(environment.domain.kinds.map(\.name)))
      try store.save()
    }
    note(done)
    return written
  }

  /// Removes a row that the server does not have, unless it has local changes that the server has not seen or accepted.
  private func leaveOut(_ row: SyncEntity, in store: any SyncStore, _ done: inout EntityChanges) throws {
    var local = try LocalEntity(row.key, in: store)
    if local.waiting.isEmpty {
      guard local.dead.isEmpty else { return }
      local.row = nil
    } else {
      guard sending[row.key] == nil else { return }
      local.row?.basis.awaitsDelete = false
      _ = local.takeDelete(at: nil, by: judge)
    }
    try local.write(to: store, upsert: upsertLinked)
    done.add(local)
  }

  private func write(
    _ entity: RemoteEntity, of kind: EntityKind, to store: any SyncStore, _ done: inout EntityChanges
  ) throws -> Int {
    var local = try LocalEntity(EntityKey(kind: kind.name, id: entity.id), in: store)
    local.take(entity, by: judge)
    try local.write(to: store, upsert: upsertLinked)
    done.add(local)
    return local.row == nil ? 0 : 1
  }
}

/// The entities fetched so far by a bootstrap.
struct BootstrapStaging {
  /// Entities by kind, in fetch order.
  private(set) var entities: [(kind: EntityKind, entities: [RemoteEntity])] = []
  private var keys: Set<EntityKey> = []

  /// Adds the entities of a kind.
  mutating func add(_ new: [RemoteEntity], of kind: EntityKind) {
    entities.append((kind, new))
    for entity in new { keys.insert(EntityKey(kind: kind.name, id: entity.id)) }
  }

  /// The fetched ids of a kind, in order.
  func ids(of kind: String) -> [String] {
    entities.filter { $0.kind.name == kind }.flatMap { $0.entities.map(\.id) }
  }

  func contains(_ key: EntityKey) -> Bool { keys.contains(key) }
}
