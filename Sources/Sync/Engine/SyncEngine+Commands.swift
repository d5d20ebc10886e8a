extension SyncEngine {
  /// Closes the breaker by hand; the next backoff is as long as if it had not been.
  ///
  /// - Returns: Whether it was done; not while a run is active.
  @discardableResult
  public func resetBreaker() async -> Bool {
    guard !isStopped else { return false }
    let decision = handle(.breakerReset)
    _ = perform(decision)
    writeRecord()
    return !decision.isRefused
  }

  /// Begins to follow whether there is a network; done once, by the first who needs it.
  func watchNetwork() {
    guard networkWatch == nil, !isStopped, let reachability = environment.reachability else { return }
    networkWatch = environment.tasks.start { [weak self] in
      for await isOnline in reachability { await self?.network(isOnline: isOnline) }
    }
  }

  /// Takes note of whether there is a network: without one the engine tries nothing by itself, and with its return what
  /// waits is tried at once.
  func network(isOnline: Bool) {
    let returned = isOnline && !self.isOnline
    self.isOnline = isOnline
    guard returned else { return }
    _ = decide(.networkReturned)
    writeRecord()
  }

  /// Has everything fetched again; waits for an active run, and cancels one that takes longer than
  /// ``SyncConfiguration/resyncWait``.
  ///
  /// From within a call of the engine to its server it is carried out after that run, and no one waits for it.
  @discardableResult
  public func forceFullResync() async -> Outcome {
    guard !isStopped else { return .refused(reason: SyncError(.stopped).text) }
    guard !Self.isInsideCall else {
      startApart { _ = await $0.forceFullResync() }
      return .queued
    }
    while machine.run != nil {
      _ = decide(.resyncForced)
      await endActiveRun()
    }
    startOver = .forced
    _ = handle(.resyncForced)
    do { try storeCursor(nil) } catch { return .refused(reason: SyncError(wrapping: error).text) }
    return await requestSync()
  }

  /// Waits for the active run as long as that is worth while, then cancels it; its calls are left alone.
  private func endActiveRun() async {
    guard let run = runTask else { return }
    let clock = environment.clock
    let deadline = clock.now + machine.configuration.resyncWait
    let impatience = environment.tasks.start {
      guard (try? await clock.sleep(until: deadline, for: "end of patience")) != nil else { return }
      run.cancel()
    }
    await run.value
    impatience.cancel()
  }

  /// Moves the cursor to the server's newest; what waits here stays.
  ///
  /// - Returns: The cursor.
  /// - Throws: What the backend throws.
  @discardableResult
  public func skipToLatestCursor() async throws -> SyncCursor {
    try checkRunning()
    let era = erasures
    let latest = try await call("the latest cursor") { try await $0.latestCursor() }
    // The cursor of what was erased meanwhile is not that of what comes after it.
    guard era == erasures else { throw SyncError(.cancelled) }
    try storeCursor(latest)
    _ = decide(.cursorSkipped(cursor: latest))
    writeRecord()
    return machine.cursor
  }

  private func storeCursor(_ cursor: SyncCursor?) throws {
    try withStore { store in
      try store.setCursor(cursor)
      try store.save()
    }
  }

  /// Drops the store's handle; the next use opens a new one.
  ///
  /// An active run is cancelled.
  public func resetStore() async {
    _ = decide(.storeReset)
    writeRecord()
  }

  /// Runs a write that the system is asked not to end the process in.
  ///
  /// - Parameter body: The write; it saves what it wants to keep.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func protectedWrite<Value: Sendable>(
    _ body: @Sendable (any SyncStore) throws -> Value
  ) async throws -> Value {
    let value = try ProtectedActivity.run { try withStore(body) }
    try await makeDurable()
    return value
  }
}
