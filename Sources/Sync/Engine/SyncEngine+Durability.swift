import Platform

// The durability of an acknowledged change.
extension SyncEngine {
  /// Waits until all that was saved so far survives a cut of power.
  ///
  /// Whoever comes while the disk is busy shares the next wait with all others who do.
  ///
  /// - Throws: ``SyncError`` when the disk fails, also at a second try with a new file: whether the changes that were
  ///   saved since the last success survive is not known then.
  func makeDurable() async throws {
    guard store?.pendingSync() != nil else { return }
    try await withCheckedThrowingContinuation { continuation in
      durabilityWaiters.append(continuation)
      if !isSyncingDisk { syncDisk() }
    }
  }

  private func syncDisk() {
    let waiters = durabilityWaiters
    durabilityWaiters = []
    let work: Locked<(@Sendable () throws -> Void)?>
    do {
      // A store that was dropped meanwhile is opened again: what those who wait have saved is in its files.
      guard let sync = try withStore({ $0.pendingSync() }) else { return waiters.forEach { $0.resume() } }
      work = Locked(sync)
    } catch {
      return waiters.forEach { $0.resume(throwing: error) }
    }
    isSyncingDisk = true
    let tasks = environment.tasks
    // It is taken out to be called: with its end it lets go of the store's files, for which somebody may wait.
    tasks.block {
      let result = Self.result(of: work)
      _ = tasks.start { await self.endSync(waiters, result) }
    }
  }

  private static func result(of work: Locked<(@Sendable () throws -> Void)?>) -> Result<Void, any Error> {
    let sync = work.withLock { work in
      defer { work = nil }
      return work
    }
    return Result { try sync?() }
  }

  private func endSync(_ waiters: [CheckedContinuation<Void, any Error>], _ result: Result<Void, any Error>) {
    isSyncingDisk = false
    var result = result
    if case .failure = result {
      // Once a sync has failed no one knows what is on the disk: all of it goes into a new file.
      result = Result {
        try withStore { store in
          try store.save()
          try store.pendingSync()?()
        }
      }
    }
    for waiter in waiters { waiter.resume(with: result) }
    if !durabilityWaiters.isEmpty { syncDisk() }
    if dropsStore { dropStore() }
  }
}
