extension SyncEngine {
  /// Uses the one store handle; one that cannot open its file is dropped, and the use is repeated once with a new one.
  ///
  /// After any other failure the handle goes as well, and with it what was not saved: a later save must not make half a
  /// transaction durable.
  func withStore<Value>(_ body: (any SyncStore) throws -> Value) throws -> Value {
    do {
      return try useOnce(body)
    } catch let error as SyncError where error.code == .storeUnavailable {
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

  /// Forgets what was not saved, with the handle where that cannot be done otherwise.
  private func takeBack(after error: any Error) {
    let isGone = (error as? SyncError)?.code == .storeUnavailable
    guard let store, !isGone, store.rollback(), let count = try? store.pendingCount() else {
      return store = nil
    }
    pending = count
  }

  /// Drops the handle; one that the disk is busy with, and whose file nobody else may open meanwhile, once that is over.
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
    // A store that does not say what was fetched is of a time when that was all there was.
    machine.adopt(
      try new.cursor() ?? .start, missingKinds: try new.fetchedKinds().map { kinds.subtracting($0) } ?? [])
    store = new
    return new
  }

  /// Finishes an erasing that was cut short, and brings what waits to the format of this version of the app.
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
    // Each mutation says its own version: where this is not written, nothing is done twice.
    try preferences.setPayloadVersion(format.version)
  }

  /// Gives up a mutation whose payload the app cannot bring to its format.
  private func bury(_ mutation: Mutation, atFormat version: Int, in store: any SyncStore) throws
    -> (mutation: Mutation, error: SyncError)
  {
    let error = SyncError(
      .other, detail: "the payload of version \(mutation.payloadVersion) cannot be brought to \(version)")
    var dead = mutation
    dead.lastError = error.keptText
    try store.bury(dead)
    // Or the sweep would queue the row as it is.
    try restoreDeleted(dead, in: store)
    try setStatus(.failed, of: dead.entity, in: store)
    return (dead, error)
  }

  /// Asks the store how many mutations wait.
  func refreshPending() throws {
    pending = try withStore { try $0.pendingCount() }
  }

  /// How many mutations wait.
  ///
  /// - Throws: ``SyncError`` when the store fails.
  public func pendingCount() throws -> Int {
    try refreshPending()
    return pending
  }
}
