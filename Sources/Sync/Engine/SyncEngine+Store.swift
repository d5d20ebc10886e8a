extension SyncEngine {
  /// Uses the single store handle; one that cannot open its file is dropped, and the use is retried once with a new
  /// one.
  ///
  /// After any other failure, unsaved changes are discarded, with the handle if necessary: a later save must not make
  /// half a transaction durable.
  ///
  /// - Parameter usesRoom: Whether a full disk is answered with the room that was kept for answers.
  func withStore<Value>(usesRoom: Bool = true, _ body: (any SyncStore) throws -> Value) throws -> Value {
    do {
      return try useOnce(body)
    } catch let error as SyncError where error.code == .storeUnavailable {
      return try useOnce(body)
    } catch let error as SyncError where error.code == .store && usesRoom {
      guard store?.useRoom() == true else { throw error }
      return try useOnce(body)
    }
  }

  private func useOnce<Value>(_ body: (any SyncStore) throws -> Value) throws -> Value {
    do {
      return try body(openStore())
    } catch {
      takeBack(after: error)
      throw error
    }
  }

  /// Discards unsaved changes; drops the handle if it cannot roll back.
  private func takeBack(after error: any Error) {
    let isGone = (error as? SyncError)?.code == .storeUnavailable
    guard let store, !isGone, store.rollback(), let count = try? store.pendingCount() else {
      return store = nil
    }
    pending = count
  }

  /// Drops the handle; during a disk sync, only after it, because no one else may open the file until then.
  func dropStore() {
    dropsStore = isSyncingDisk
    if !dropsStore { store = nil }
  }

  private func openStore() throws -> any SyncStore {
    if let store { return store }
    guard !isStopped else { throw SyncError(.stopped) }
    let new = try environment.stores.makeStore()
    try prepare(new)
    pending = try new.pendingCount()
    let kinds = Set(environment.domain.kinds.map(\.name))
    // A store without this record predates it, when every kind was fetched.
    machine.adopt(
      try new.cursor() ?? .start, missingKinds: try new.fetchedKinds().map { kinds.subtracting($0) } ?? [])
    store = new
    return new
  }

  /// Completes an interrupted erase, and migrates pending mutations to this app version's payload format.
  private func prepare(_ store: any SyncStore) throws {
    if preferences.isErasing {
      try store.erase()
      try store.save()
      try store.pendingSync()?()
      try preferences.clear(keepingFormat: environment.payloads.version)
      (history, lastSuccess) = ([], nil)
      startOver = .erased
    }
    let format = environment.payloads
    guard preferences.payloadVersion != format.version else { return }
    for letter in try store.deadLetters() where letter.payloadVersion < format.version {
      if let migrated = format.migrated(letter) { try store.bury(migrated) }
    }
    var buried: [(mutation: Mutation, error: SyncError)] = []
    for mutation in try store.mutations() where mutation.payloadVersion < format.version {
      if let migrated = format.migrated(mutation) {
        try store.update(migrated)
      } else {
        buried.append(try bury(mutation, atFormat: format.version, in: store))
      }
    }
    try store.save()
    for (mutation, error) in buried {
      record(mutation, .dead)
      notify(.failed(mutation, error, isDead: true))
    }
    try store.pendingSync()?()
    // Each mutation has its own version: if this write is lost, no migration runs twice.
    try preferences.setPayloadVersion(format.version)
  }

  /// Makes a mutation a dead letter because the app cannot migrate its payload.
  private func bury(_ mutation: Mutation, atFormat version: Int, in store: any SyncStore) throws
    -> (mutation: Mutation, error: SyncError)
  {
    let error = SyncError(
      .other, detail: "the payload of version \(mutation.payloadVersion) cannot be brought to \(version)")
    var dead = mutation
    dead.lastError = error.keptText
    try store.bury(dead)
    // Otherwise the sweep would queue the row as it is.
    try restoreDeleted(dead, in: store)
    try setStatus(.failed, of: dead.entity, in: store)
    return (dead, error)
  }

  /// Rereads the number of pending mutations from the store.
  func refreshPending() throws {
    pending = try withStore { try $0.pendingCount() }
  }

  /// The number of pending mutations.
  ///
  /// - Throws: ``SyncError`` if the store fails.
  public func pendingCount() throws -> Int {
    try refreshPending()
    return pending
  }
}
