import Platform

// Durability of acknowledged changes.
extension SyncEngine {
  /// Waits until everything saved so far survives a power cut.
  ///
  /// Callers that arrive during a sync share the next one.
  ///
  /// - Throws: ``SyncError`` if the disk fails, also at a second attempt with a new file. It is then unknown which
  ///   changes since the last success survive.
  func makeDurable() async throws {
    guard store?.pendingSync() != nil else { return }
    try await withCheckedThrowingContinuation { continuation in
      durabilityWaiters.append { continuation.resume(with: $0) }
      if !isSyncingDisk { syncDisk() }
    }
  }

  private func syncDisk() {
    let waiters = durabilityWaiters
    durabilityWaiters = []
    let work: Locked<(@Sendable () throws -> Void)?>
    do {
      // A store dropped in the meantime is reopened: its files contain the waiters' changes.
      guard let sync = try withStore({ $0.pendingSync() }) else {
        return waiters.forEach { $0(.success(())) }
      }
      work = Locked(sync)
    } catch {
      return waiters.forEach { $0(.failure(error)) }
    }
    (isSyncingDisk, syncingWaiters) = (true, waiters)
    let tasks = environment.tasks
    // Taken out of the lock before the call: when it returns, it releases the store's files, which another opener may
    // wait for.
    tasks.block {
      let result = Self.result(of: work)
      _ = tasks.start { await self.endSync(result) }
    }
  }

  private static func result(of work: Locked<(@Sendable () throws -> Void)?>) -> Result<Void, any Error> {
    let sync = work.withLock { work in
      defer { work = nil }
      return work
    }
    return Result { try sync?() }
  }

  private func endSync(_ result: Result<Void, any Error>) {
    isSyncingDisk = false
    var result = result
    if case .failure = result {
      // After a failed sync, the state of the disk is unknown: everything is written to a new file.
      result = Result {
        try withStore { store in
          try store.save()
          try store.pendingSync()?()
        }
      }
    }
    for waiter in syncingWaiters { waiter(result) }
    syncingWaiters = []
    repeat {
      queueJoining()
      if !durabilityWaiters.isEmpty { syncDisk() }
    } while !isSyncingDisk && !joining.isEmpty
    if dropsStore { dropStore() }
  }
}
