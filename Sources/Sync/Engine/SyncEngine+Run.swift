import Essentials
import TelemetryCore

extension SyncEngine {
  /// The outcome of a request.
  public enum Outcome: Hashable, Sendable {
    /// A run took place.
    case finished(SyncRunSummary)
    /// The request was refused; one made during a run is remembered, and another run follows if there is something left
    /// to do.
    case refused(reason: String)
    /// The request came from within a call of the engine to its server, and is carried out after that run.
    case queued
    /// The caller was cancelled; the run continues.
    case waitCancelled
  }

  /// Requests a run and waits for it; refused at once during a run or while the breaker is open.
  ///
  /// Rows marked pending without a mutation are queued first.
  @discardableResult
  public func requestSync() async -> Outcome {
    do { try checkRunning() } catch { return .refused(reason: error.text) }
    let decision = ask(.app)
    guard !decision.isRefused else { return .refused(reason: decision.reason ?? "") }
    return await outcome(ofRun: machine.runs)
  }

  /// Requests a run and starts it if the machine allows it.
  @discardableResult
  func ask(_ trigger: SyncTrigger) -> SyncDecision {
    watchNetwork()
    if machine.run == nil && !isBreakerOpen { queueForgottenRows() }
    let decision = handle(.syncRequested(trigger))
    // Claimed: from here on the machine refuses other requests.
    let first = perform(decision)
    if let first { startRun(machine.runs, with: first) }
    writeRecord()
    return decision
  }

  private func startRun(_ number: Int, with first: SyncAction) {
    // The request may come from a call of the previous run; this run is not part of that call.
    Self.$isInsideCall.withValue(false) {
      runTask = environment.tasks.start { await self.carryOut(first) }
      let clock = environment.clock
      let deadline = clock.now + machine.configuration.runDeadline
      runTimer = environment.tasks.start { [weak self] in
        guard (try? await clock.sleep(until: deadline, for: "end of the run's time")) != nil else { return }
        await self?.expire(run: number)
      }
    }
  }

  private func expire(run number: Int) {
    guard machine.run?.sequence == number else { return }
    isRunExpired = true
    runTask?.cancel()
  }

  /// Performs an asynchronous action and its successors until the run ends.
  private func carryOut(_ first: SyncAction) async {
    var next: SyncAction? = first
    while let action = next {
      // Observers see an action while it is in progress.
      writeRecord()
      next = await step(action)
    }
    writeRecord()
  }

  private func step(_ action: SyncAction) async -> SyncAction? {
    switch action {
    case .probe: await probe()
    case .push: await pushNext()
    case .pull: await pullPage()
    case .bootstrap: await bootstrap()
    default: nil
    }
  }

  /// Lets the machine decide, performs synchronous actions at once, and returns the next asynchronous one.
  func decide(_ event: SyncEvent) -> SyncAction? { perform(handle(event)) }

  /// Performs the synchronous actions of a decision; a store failure ends the run.
  ///
  /// - Returns: The next asynchronous action.
  func perform(_ decision: SyncDecision) -> SyncAction? {
    var next: SyncAction?
    for action in decision.actions {
      switch action {
      case .bootstrap:
        next = action
        if decision.failure?.code == .cursorExpired { startOver = .cursorExpired }
        if machine.wantsResync || machine.cursor.isStart { notify(.startsOver(startOver ?? .noCursor)) }
      case .probe, .push, .pull: next = action
      case .requestRun(let trigger): if !isStopped, !isErasing { ask(trigger) }
      default: performAtOnce(action, of: decision)
      }
    }
    return next
  }

  private func performAtOnce(_ action: SyncAction, of decision: SyncDecision) {
    switch action {
    case .claimRun:
      stopWaiting()
      (pushPosition, conflictTries, held, runFailure, blocking) = (nil, [:], [:], nil, [])
    case .begin(let interval): begin(interval)
    case .end(let interval): end(interval, "ok")
    case .endIntervals: endIntervals(decision.failure?.text ?? "ok")
    case .emit(let signal): metrics.record(signal)
    case .storeSuccess: storeSuccess()
    case .recordRun: if let summary = decision.summary { record(summary) }
    case .trip: startTimer()
    case .cancelTimer:
      cancelTimer()
      waitForNextTry()
    case .cancelRun: runTask?.cancel()
    case .dropStore: dropStore()
    case .releaseRun: releaseRun()
    case .notifyBootstrapCompleted: notifyBootstrapCompleted()
    // Handled by the machine itself, or performed by the push phase or the waiting caller.
    default: break
    }
  }

  /// Reports the failure or cancellation of the active run.
  func fail(_ error: SyncError) -> SyncAction? {
    guard let run = machine.run else { return nil }
    if isRunExpired, Task.isCancelled {
      let late = SyncError(.timeout, detail: "the run took longer than \(machine.configuration.runDeadline)")
      return decide(run.phase == .probing ? .probeFailed(late) : .runFailed(late))
    }
    if error.code == .rateLimited { return decide(.rateLimited(retryAfter: error.retryAfter)) }
    if run.phase == .probing { return decide(.probeFailed(error)) }
    return decide(Task.isCancelled ? .runCancelled : .runFailed(error))
  }

  private func probe() async -> SyncAction? {
    do {
      try await call("the probe") { try await $0.probe() }
      lastProbe = SyncProbe(time: environment.clock.wallTime, failure: nil, consecutiveFailures: 0)
      return decide(.probeSucceeded)
    } catch {
      let error = SyncError(wrapping: error)
      lastProbe = SyncProbe(
        time: environment.clock.wallTime, failure: error,
        consecutiveFailures: (lastProbe?.consecutiveFailures ?? 0).addingReportingOverflow(1).partialValue)
      return fail(error)
    }
  }

  private func storeSuccess() {
    let now = environment.clock.wallTime
    lastSuccess = now
    publish()
    // Informational, like the history: a failure to write the time does not fail the run.
    do { try preferences.setLastSuccess(now) } catch { unwrittenHistory += 1 }
  }

  private func releaseRun() {
    runTask = nil
    runTimer?.cancel()
    runTimer = nil
    isRunExpired = false
    if !isStopped { waitForNextTry() }
  }

  private func notifyBootstrapCompleted() {
    guard let notify = environment.onBootstrapCompleted else { return }
    // In a task of its own: an observer that hangs delays nothing else.
    _ = environment.tasks.start { notify() }
  }

  /// The values persisted between launches.
  var preferences: SyncPreferenceValues { SyncPreferenceValues(environment.preferences) }
}

extension SyncError {
  /// Converts any error.
  init(wrapping error: any Error) {
    if let error = error as? SyncError {
      self = error
    } else if error is CancellationError || error is AbandonedCall {
      self = SyncError(.cancelled)
    } else {
      self.init(Self.networkCode(of: error), detail: String(describing: error))
    }
  }

  /// Codes of Foundation's network errors; the named constants would require all of Foundation.
  ///
  /// From the documentation of `NSURLErrorDomain`.
  private static func networkCode(of error: any Error) -> Code {
    guard error._domain == "NSURLErrorDomain" else { return .other }
    return switch error._code {
    case -1001: .timeout
    case -999: .cancelled
    // Not connected, connection lost, cannot connect, host not found, DNS failure, roaming off, no data allowed.
    case -1009, -1005, -1004, -1003, -1006, -1018, -1020: .noConnection
    default: .other
    }
  }
}
