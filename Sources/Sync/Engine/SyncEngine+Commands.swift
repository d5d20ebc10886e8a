import TelemetryCore

extension SyncEngine {
  /// Closes the breaker manually; the next backoff is as long as it would have been otherwise.
  ///
  /// - Returns: Whether the breaker was reset; false during a run.
  @discardableResult
  public func resetBreaker() async -> Bool {
    guard !isStopped else { return false }
    let decision = handle(.breakerReset)
    _ = perform(decision)
    writeRecord()
    return !decision.isRefused
  }

  /// Starts to observe the network, once, on first use.
  func watchNetwork() {
    guard networkWatch == nil, !isStopped, let reachability = environment.reachability else { return }
    networkWatch = environment.tasks.start { [weak self] in
      for await isOnline in reachability { await self?.network(isOnline: isOnline) }
    }
  }

  /// Notes the network's state: offline, the engine starts no run by itself; when the network returns, pending changes
  /// are pushed at once.
  func network(isOnline: Bool) {
    guard isOnline != self.isOnline else { return }
    self.isOnline = isOnline
    if isOnline {
      _ = decide(.networkReturned)
    } else {
      journal?.add(SyncMetric.network, SyncNetwork(online: false, branch: branch))
    }
    writeRecord()
  }

  /// Fetches everything again; waits for an active run, and cancels one that takes longer than
  /// ``SyncConfiguration/resyncWait``.
  ///
  /// From within a call of the engine to its server, it is carried out after that run without a wait.
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

  /// Waits for the active run up to the limit, then cancels it and abandons its calls.
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

  /// Moves the cursor to the server's newest; pending changes stay.
  ///
  /// - Returns: The cursor.
  /// - Throws: The error of the backend.
  @discardableResult
  public func skipToLatestCursor() async throws -> SyncCursor {
    try checkRunning()
    let era = erasures
    let latest = try await call("the latest cursor") { try await $0.latestCursor() }
    // An erase since then makes the fetched cursor invalid.
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

  /// Runs a write during which the system is asked not to suspend the process.
  ///
  /// - Parameter body: The write; it saves for itself.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func protectedWrite<Value: Sendable>(
    _ body: @Sendable (any SyncStore) throws -> Value
  ) async throws -> Value {
    try checkRunning()
    // It may have written any row.
    defer { anyRowChanged() }
    let value = try ProtectedActivity.run { try withStore(usesRoom: false, body) }
    try await makeDurable()
    return value
  }
}
