extension SyncEngine {
  /// Closes the breaker by hand; the next backoff is as long as if it had not been.
  ///
  /// - Returns: Whether it was done; not while a run is active.
  @discardableResult
  public func resetBreaker() async -> Bool {
    let decision = handle(.breakerReset)
    await perform(decision.actions)
    return !decision.isRefused
  }

  /// Has everything fetched anew; waits for an active run, and cancels one that takes longer than
  /// ``SyncConfiguration/resyncWait``.
  @discardableResult
  public func forceFullResync() async -> Outcome {
    var decision = handle(.resyncForced)
    while decision.actions.contains(.awaitRun) {
      await endActiveRun()
      decision = handle(.resyncForced)
    }
    for action in decision.actions where action != .requestRun { _ = performAtOnce(action) }
    return await requestSync()
  }

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
  public func skipToLatestCursor() async throws -> Int64 {
    let latest = try await environment.backend.latestCursor()
    _ = try withStore { try $0.pendingCount() }
    try preferences.setCursor(max(0, latest))
    await perform(handle(.cursorSkipped(cursor: latest)).actions)
    return machine.cursor
  }

  /// Drops the store's handle; the next use opens a new one.
  ///
  /// An active run is cancelled.
  public func resetStore() async {
    await perform(handle(.storeReset).actions)
  }

  /// Runs a write that has to be finished even if the app is about to be suspended.
  ///
  /// - Parameter body: The write; it saves what it wants to keep.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func protectedWrite<Value: Sendable>(
    _ body: @Sendable (any SyncStore) throws -> Value
  ) throws -> Value {
    try ProtectedActivity.run { try withStore(body) }
  }
}
