extension SyncEngine {
  /// Fetches everything into memory, or all of the kinds that are new to this app, then replaces the local rows in one
  /// transaction.
  func bootstrap() async -> SyncAction? {
    do {
      let isWhole = machine.wantsResync || machine.cursor.isStart
      let kinds = environment.domain.kinds.filter { isWhole || machine.missingKinds.contains($0.name) }
      // The cursor first: what changes on the server meanwhile is in the feed after it.
      let cursor =
        isWhole ? try await call("the latest cursor") { try await $0.latestCursor() } : machine.cursor
      try Task.checkCancellation()
      let staging = try await stage(kinds)
      try Task.checkCancellation()
      let count = try withStore { try self.swap(staging, of: kinds, leadingTo: cursor, in: $0) }
      return decide(.bootstrapApplied(cursor: cursor, count: count))
    } catch {
      return fail(SyncError(wrapping: error))
    }
  }

  /// Fetches kinds; one part that fails makes the whole fail, so that nothing is taken as fetched that was not.
  private func stage(_ kinds: [EntityKind]) async throws -> BootstrapStaging {
    var staging = BootstrapStaging()
    for kind in kinds {
      guard let ownerKind = kind.fetchedPer else {
        staging.add(try await entities(of: kind, ownedBy: nil), of: kind)
        continue
      }
      let owners =
        kinds.contains { $0.name == ownerKind }
        ? staging.ids(of: ownerKind) : try withStore { try $0.entities(of: ownerKind).map(\.key.id) }
      for owner in owners { staging.add(try await entities(of: kind, ownedBy: owner), of: kind) }
    }
    return staging
  }

  private func entities(of kind: EntityKind, ownedBy owner: String?) async throws -> [RemoteEntity] {
    var all: [RemoteEntity] = []
    var page: String?
    var seen: Set<String> = []
    repeat {
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

  /// Replaces the rows, merges those that were edited meanwhile, leaves out what is to be deleted, and links.
  ///
  /// - Returns: How many rows were written.
  private func swap(
    _ staging: BootstrapStaging, of kinds: [EntityKind], leadingTo cursor: SyncCursor,
    in store: any SyncStore
  ) throws -> Int {
    let deletes = try store.pendingDeletes().union(capturedDeletes)
    for kind in kinds {
      for row in try store.entities(of: kind.name) where !staging.contains(row.key) {
        // What the server has not seen, or will not take, is only here.
        guard try store.mutations(of: row.key).isEmpty, try store.deadLetters(of: row.key).isEmpty else {
          continue
        }
        try store.removeEntity(row.key)
      }
    }
    var written = 0
    for (kind, entities) in staging.entities {
      for entity in entities {
        let key = EntityKey(kind: kind.name, id: entity.id)
        guard !deletes.contains(key) else { continue }
        var row = try fetched(entity, key, in: store)
        row.linkedTo = try staging.link(of: row, as: kind.link, in: store)
        try store.upsert(row)
        written += 1
      }
      try store.removeQuarantine(of: kind.name)
    }
    try store.setCursor(cursor)
    try store.setFetchedKinds(Set(environment.domain.kinds.map(\.name)))
    try store.save()
    return written
  }

  /// A row as the server has it, but for the members that were edited here and wait.
  private func fetched(_ entity: RemoteEntity, _ key: EntityKey, in store: any SyncStore) throws -> SyncEntity
  {
    let waiting = try store.mutations(of: key)
    let edited = RowMerge.edited(by: waiting)
    var row = RowMerge.merged(entity.members, into: nil, key: key, edited: edited)
    guard let local = try store.entity(key) else { return row }
    for name in edited { row.members[name] = local.members[name] }
    if !waiting.isEmpty {
      row.status = .pending
    } else if try !store.deadLetters(of: key).isEmpty {
      row.status = .failed
    }
    return row
  }
}

/// What a bootstrap has fetched so far.
struct BootstrapStaging {
  /// The entities by kind, in the order in which they were fetched.
  private(set) var entities: [(kind: EntityKind, entities: [RemoteEntity])] = []
  private var keys: Set<EntityKey> = []

  /// Adds what was fetched of a kind.
  mutating func add(_ new: [RemoteEntity], of kind: EntityKind) {
    entities.append((kind, new))
    for entity in new { keys.insert(EntityKey(kind: kind.name, id: entity.id)) }
  }

  /// The ids of a kind that were fetched, in order.
  func ids(of kind: String) -> [String] {
    entities.filter { $0.kind.name == kind }.flatMap { $0.entities.map(\.id) }
  }

  /// Whether an entity was fetched.
  func contains(_ key: EntityKey) -> Bool { keys.contains(key) }

  /// The id that a row is linked to, if that entity was fetched or is here.
  func link(of row: SyncEntity, as link: EntityKind.Link?, in store: any SyncStore) throws -> String? {
    guard let link, case .string(let id) = row.members[link.member] else { return nil }
    let target = EntityKey(kind: link.kind, id: id)
    return try keys.contains(target) || store.entity(target) != nil ? id : nil
  }
}
