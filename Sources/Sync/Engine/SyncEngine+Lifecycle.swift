// The end of an engine, and its restart.
extension SyncEngine {
  /// Stops the engine: cancels the active run and all timers, ends observers and waiters, and closes the store so that
  /// another engine can open it.
  ///
  /// Afterwards, every command throws or is refused with ``SyncError/Code/stopped``.
  ///
  /// From within a call of the engine to its server, it runs separately: it cancels that run, and the call does not
  /// wait for it.
  public func stop() async {
    guard !Self.isInsideCall else { return startApart { await $0.stop() } }
    let end = ending ?? environment.tasks.start { await self.end() }
    ending = end
    await end.value
  }

  private func end() async {
    isStopped = true
    cancelTimer()
    stopWaiting()
    networkWatch?.cancel()
    await endRun()
    stopWaiting()
    try? await makeDurable()
    store = nil
    observers.finish()
    noticeObservers.finish()
    finishRows()
    writeRecord()
  }

  /// Cancels the active run and waits for its end; changes accepted by then stay acknowledged, and the others stay
  /// pending.
  ///
  /// - Returns: Whether a run was active.
  @discardableResult
  public func cancelSync() async -> Bool {
    guard machine.run != nil else { return false }
    guard !Self.isInsideCall else {
      startApart { _ = await $0.cancelSync() }
      return true
    }
    await endRun()
    writeRecord()
    return true
  }

  /// Erases everything, as for another account: queue and dead letters, rows, cursor, preferences, in this order.
  ///
  /// An active run is cancelled first. What is queued meanwhile is refused with the code `erased`, as is a change that
  /// was not durable yet. An app that dies in the middle completes the erase when it next opens the store.
  ///
  /// - Throws: ``SyncError`` if the store or the preferences fail; a second call continues where this one failed.
  public func erase() async throws {
    try checkRunning()
    guard !Self.isInsideCall else {
      throw SyncError(.other, detail: "a call to the server cannot erase what it is for")
    }
    isErasing = true
    defer { isErasing = false }
    try preferences.setErasing(true)
    await endRun()
    guard !isStopped else { throw SyncError(.stopped) }
    cancelTimer()
    stopWaiting()
    let erased = try withStore { store in
      let erased = try store.removeAllMutations() + store.deadLetters()
      try store.erase()
      try store.save()
      return erased
    }
    erasures += 1
    finishRows()
    (sending, pending) = ([:], 0)
    machine.forget(Set(environment.domain.kinds.map(\.name)))
    for mutation in erased { record(mutation, .erased) }
    recordPending()
    try await makeDurable()
    do { try preferences.clear(keepingFormat: environment.payloads.version) } catch {
      // The next use of the store completes the erase before anything is queued.
      store = nil
      throw error
    }
    (history, lastSuccess, lastFailure, lastProbe) = ([], nil, nil, nil)
    unknownKinds = [:]
    _ = decide(.pendingCleared)
    notify(.startsOver(.erased))
    writeRecord()
  }

  /// Ends as if the process had died: nothing more is written, and the store stays as last saved.
  package func abandon() {
    (isStopped, isAbandoned) = (true, true)
    runTask?.cancel()
    for timer in [timer, wakeTimer, queueTimer, runTimer, networkWatch] { timer?.cancel() }
    store = nil
  }

  /// - Throws: ``SyncError`` with ``SyncError/Code/stopped`` after ``stop()``, with ``SyncError/Code/erased`` during an
  ///   erase.
  func checkRunning() throws(SyncError) {
    if isStopped { throw SyncError(.stopped) }
    if isErasing { throw SyncError(.erased) }
  }

  /// Cancels runs until none is active.
  private func endRun() async {
    while let run = runTask, machine.run != nil {
      run.cancel()
      await run.value
    }
  }

  /// Runs `body` outside the call to the server that requested it.
  func startApart(_ body: @escaping @Sendable (SyncEngine) async -> Void) {
    Self.$isInsideCall.withValue(false) {
      _ = environment.tasks.start { [weak self] in if let self { await body(self) } }
    }
  }
}
