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
      store = nil
      throw error
    }
  }

  private func openStore() throws -> any SyncStore {
    if let store { return store }
    let new = try environment.stores.makeStore()
    pending = try new.pendingCount()
    machine.adopt(try new.cursor() ?? .start)
    store = new
    return new
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
