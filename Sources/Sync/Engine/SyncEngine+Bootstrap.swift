extension SyncEngine {
  /// Fetches everything into memory, then replaces the local rows in one transaction.
  func bootstrap() async -> SyncAction? {
    do {
      // The cursor first: what changes on the server meanwhile is in the feed after it.
      let cursor = try await call("the latest cursor") { try await $0.latestCursor() }
      try Task.checkCancellation()
      let staging = try await stage()
      try Task.checkCancellation()
      let count = try withStore { try self.swap(staging, leadingTo: cursor, in: $0) }
      return decide(.bootstrapApplied(cursor: cursor, count: count))
    } catch {
      return fail(SyncError(wrapping: error))
    }
  }

  private func stage() async throws -> BootstrapStaging {
    var staging = BootstrapStaging()
    for kind in environment.domain.kinds {
      guard let ownerKind = kind.fetchedPer else {
        staging.add(try await entities(of: kind, ownedBy: nil), of: kind)
        continue
      }
      for owner in staging.ids(of: ownerKind) {
        do {
          staging.add(try await entities(of: kind, ownedBy: owner), of: kind)
        } catch {
          let error = SyncError(wrapping: error)
          guard error.code != .rateLimited, error.code != .cancelled else { throw error }
          // One owner that fails does not stop the rest; what it owns stays here as it is.
          staging.keepRows(ownedBy: owner, of: kind.name)
        }
      }
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

  /// Replaces the rows that have no mutation waiting, leaves out what is to be deleted, and links.
  ///
  /// - Returns: How many rows were written.
  private func swap(
    _ staging: BootstrapStaging, leadingTo cursor: SyncCursor, in store: any SyncStore
  ) throws -> Int {
    let deletes = try store.pendingDeletes().union(capturedDeletes)
    var kept: Set<EntityKey> = []
    for kind in environment.domain.kinds {
      for row in try store.entities(of: kind.name) {
        let owner = kind.link.flatMap { row.members[$0.member] }
        if try !store.mutations(of: row.key).isEmpty || staging.keepsRows(of: kind.name, ownedBy: owner) {
          kept.insert(row.key)
        } else if !staging.contains(row.key) {
          try store.removeEntity(row.key)
        }
      }
    }
    var written = 0
    for (kind, entities) in staging.entities {
      for entity in entities {
        let key = EntityKey(kind: kind.name, id: entity.id)
        guard !deletes.contains(key), !kept.contains(key) else { continue }
        var row = RowMerge.merged(entity.members, into: nil, key: key, edited: [])
        row.linkedTo = try staging.link(of: row, as: kind.link, in: store)
        try store.upsert(row)
        written += 1
      }
    }
    try store.setQuarantine([])
    try store.setCursor(cursor)
    try store.save()
    return written
  }
}

/// What a bootstrap has fetched so far.
struct BootstrapStaging {
  /// The entities by kind, in the order in which they were fetched.
  private(set) var entities: [(kind: EntityKind, entities: [RemoteEntity])] = []
  private var keys: Set<EntityKey> = []
  private var unfetched: Set<EntityKey> = []

  /// Adds what was fetched of a kind.
  mutating func add(_ new: [RemoteEntity], of kind: EntityKind) {
    entities.append((kind, new))
    for entity in new { keys.insert(EntityKey(kind: kind.name, id: entity.id)) }
  }

  /// Remembers that the entities of one owner could not be fetched.
  mutating func keepRows(ownedBy owner: String, of kind: String) {
    unfetched.insert(EntityKey(kind: kind, id: owner))
  }

  /// Whether the rows of that owner stay as they are.
  func keepsRows(of kind: String, ownedBy owner: SyncValue?) -> Bool {
    guard case .string(let id) = owner else { return false }
    return unfetched.contains(EntityKey(kind: kind, id: id))
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
