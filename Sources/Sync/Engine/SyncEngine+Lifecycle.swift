// How an engine ends, and how it begins again.
extension SyncEngine {
  /// Ends the engine: the active run is cancelled, timers end, observers and those who wait are told, and the store is
  /// closed, so that another engine may open it.
  ///
  /// From here on every command throws, or is refused with, ``SyncError/Code/stopped``.
  ///
  /// From within a call of the engine to its server it is begun apart: it cancels that run, and the call does not wait for
  /// it.
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
    writeRecord()
  }

  /// Cancels the active run and waits for its end; what the server has taken by then stays acknowledged, and what waits
  /// goes on waiting for the next run.
  ///
  /// - Returns: Whether there was one.
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

  /// Forgets everything, as for another account: queue and dead letters, rows, cursor, preferences, in this order.
  ///
  /// An active run is cancelled first. An app that dies meanwhile finishes with it when it opens the store again.
  ///
  /// - Throws: ``SyncError`` when store or preferences fail; called again, it goes on where it failed.
  public func erase() async throws {
    try checkRunning()
    guard !Self.isInsideCall else {
      throw SyncError(.other, detail: "a call to the server cannot erase what it is for")
    }
    try preferences.setErasing(true)
    await endRun()
    try checkRunning()
    cancelTimer()
    stopWaiting()
    try withStore { store in
      try store.erase()
      try store.save()
    }
    erasures += 1
    // Before anything waits: a run that begins meanwhile must not keep the cursor of what is gone.
    machine.forget(Set(environment.domain.kinds.map(\.name)))
    try await makeDurable()
    do { try preferences.clear(keepingFormat: environment.payloads.version) } catch {
      // The next use of the store goes on with it, before anything is queued.
      store = nil
      throw error
    }
    (history, lastSuccess, lastFailure, lastProbe) = ([], nil, nil, nil)
    unknownKinds = [:]
    sending = []
    try refreshPending()
    _ = decide(.pendingCleared)
    notify(.startsOver(.erased))
    recordPending()
    writeRecord()
  }

  /// Ends as if the process had died: nothing more is written, and the store is as it was saved last.
  package func abandon() {
    (isStopped, isAbandoned) = (true, true)
    runTask?.cancel()
    for timer in [timer, wakeTimer, queueTimer, runTimer, networkWatch] { timer?.cancel() }
    store = nil
  }

  /// - Throws: ``SyncError`` with ``SyncError/Code/stopped`` after ``stop()``.
  func checkRunning() throws {
    if isStopped { throw SyncError(.stopped) }
  }

  /// Cancels what runs until nothing does.
  private func endRun() async {
    while let run = runTask, machine.run != nil {
      run.cancel()
      await run.value
    }
  }

  /// Does something after the call to the server that asks for it.
  func startApart(_ body: @escaping @Sendable (SyncEngine) async -> Void) {
    Self.$isInsideCall.withValue(false) {
      _ = environment.tasks.start { [weak self] in if let self { await body(self) } }
    }
  }
}
