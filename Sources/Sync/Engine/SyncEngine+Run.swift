import Telemetry

extension SyncEngine {
  /// What became of a request.
  public enum Outcome: Hashable, Sendable {
    /// A run was made, and this is what it came to.
    case finished(SyncRunSummary)
    /// The request was turned away.
    case refused(reason: String)
  }

  /// Asks for a run and waits for it; while one is active, or the breaker is open, it is refused at once.
  ///
  /// Rows that are marked pending without a mutation are queued first.
  @discardableResult
  public func requestSync() async -> Outcome {
    if machine.run == nil && !isBreakerOpen { queueForgottenRows() }
    let decision = handle(.syncRequested)
    guard !decision.isRefused else {
      await writeRecord()
      return .refused(reason: decision.reason ?? "")
    }
    // Claimed: from here on no other caller gets past the machine, although this one waits.
    let number = machine.runs
    let run = environment.tasks.start { await self.perform(decision.actions) }
    runTask = run
    await run.value
    return outcomes.removeValue(forKey: number).map(Outcome.finished)
      ?? .refused(reason: "the run ended without a result")
  }

  /// Performs actions, and what follows from them, until nothing is left to do.
  func perform(_ first: [SyncAction]) async {
    var waiting = first
    var next = waiting.startIndex
    while next < waiting.endIndex {
      let action = waiting[next]
      next += 1
      // Whoever watches learns what is being done while it is being done.
      if action.isSlow { await writeRecord() }
      let hadRun = machine.run != nil
      let following = await perform(action)
      // A run that has just failed does nothing more of what was planned for it.
      if hadRun, machine.run == nil { waiting.removeSubrange(next...) }
      waiting += following
      if next > 1024 {
        waiting.removeFirst(next)
        next = 0
      }
    }
    await writeRecord()
  }

  /// Performs one action and returns those that follow from it.
  private func perform(_ action: SyncAction) async -> [SyncAction] {
    switch action {
    case .probe: await probe()
    case .push: await pushNext()
    case .pull(let cursor): await pullPage(since: cursor)
    case .bootstrap: await bootstrap()
    case .requestRun: await requestRun()
    default: performAtOnce(action)
    }
  }

  private func requestRun() async -> [SyncAction] {
    await requestSync()
    return []
  }

  /// Performs an action that waits for nothing; a store that fails ends the run.
  func performAtOnce(_ action: SyncAction) -> [SyncAction] {
    do {
      try performThrowing(action)
      return []
    } catch {
      return fail(SyncError(wrapping: error))
    }
  }

  private func performThrowing(_ action: SyncAction) throws {
    switch action {
    case .begin(let interval): begin(interval)
    case .end(let interval, let outcome): end(interval, outcome)
    case .emit(let signal): metrics.record(signal)
    case .capturePendingDeletes: try capturePendingDeletes()
    case .storeCursor(let cursor): try preferences.setCursor(cursor)
    case .storeSuccess: try storeSuccess()
    case .recordRun(let summary): record(summary)
    case .startTimer(let deadline): startTimer(until: deadline)
    case .cancelTimer: cancelTimer()
    case .cancelRun: runTask?.cancel()
    case .dropStore: store = nil
    case .releaseRun: runTask = nil
    case .notifyBootstrapCompleted: environment.onBootstrapCompleted?()
    case .probe, .push, .pull, .bootstrap, .requestRun, .awaitRun, .keepMutation, .buryMutation:
      // Performed where their context is: in the run, by the caller that waits, by the push.
      break
    }
  }

  /// Reports a failure of the active run, or its cancellation.
  func fail(_ error: SyncError) -> [SyncAction] {
    guard let run = machine.run else { return [] }
    if run.phase == .probing {
      return handle(
        error.code == .rateLimited ? .rateLimited(retryAfter: error.retryAfter) : .probeFailed(error)
      ).actions
    }
    if Task.isCancelled { return handle(.runCancelled).actions }
    return handle(error.code == .rateLimited ? .rateLimited(retryAfter: error.retryAfter) : .runFailed(error))
      .actions
  }

  private func probe() async -> [SyncAction] {
    do {
      try await environment.backend.probe()
      try Task.checkCancellation()
      return handle(.probeSucceeded).actions
    } catch {
      return fail(SyncError(wrapping: error))
    }
  }

  private func capturePendingDeletes() throws {
    pushPosition = nil
    capturedDeletes = try withStore { try $0.pendingDeletes() }
    try preferences.setPendingDeletes(capturedDeletes)
  }

  private func storeSuccess() throws {
    let now = environment.clock.wallTime
    lastSuccess = now
    publish()
    try preferences.setLastSuccess(now)
  }

  private func startTimer(until deadline: Duration) {
    timer?.cancel()
    let clock = environment.clock
    // Who lets go of the engine is not to hear of it again when the backoff is over.
    timer = environment.tasks.start { [weak self] in
      guard (try? await clock.sleep(until: deadline, for: "half-open probe")) != nil else { return }
      await self?.backoffElapsed()
    }
  }

  private func cancelTimer() {
    timer?.cancel()
    timer = nil
  }

  private func backoffElapsed() async {
    await perform(handle(.backoffElapsed).actions)
  }

  /// What is kept between launches.
  var preferences: SyncPreferenceValues { SyncPreferenceValues(environment.preferences) }
}

extension SyncError {
  /// Any error as one of ours.
  init(wrapping error: any Error) {
    if let error = error as? SyncError {
      self = error
    } else if error is CancellationError {
      self = SyncError(.cancelled)
    } else {
      self = SyncError(.other, detail: String(describing: error))
    }
  }
}

extension SyncAction {
  /// Whether performing it waits for the server.
  fileprivate var isSlow: Bool {
    switch self {
    case .probe, .push, .pull, .bootstrap: true
    case .begin, .end, .emit, .capturePendingDeletes, .keepMutation, .buryMutation, .storeCursor,
      .storeSuccess,
      .recordRun, .startTimer, .cancelTimer, .requestRun, .awaitRun, .cancelRun, .dropStore, .releaseRun,
      .notifyBootstrapCompleted:
      false
    }
  }
}
