import Essentials
import TelemetryCore

extension SyncEngine {
  /// The outcome of a request.
  public enum Outcome: Hashable, Sendable {
    /// A run was made, and this is what it came to.
    case finished(SyncRunSummary)
    /// The request was turned away; one that comes during a run is remembered, and followed by a run if there is
    /// something left to do.
    case refused(reason: String)
    /// The request was made from within a call of the engine to its server, and is carried out after that run.
    case queued
    /// Whoever asked was cancelled; the run goes on.
    case waitCancelled
  }

  /// Asks for a run and waits for it; while one is active, or the breaker is open, it is refused at once.
  ///
  /// Rows that are marked pending without a mutation are queued first.
  @discardableResult
  public func requestSync() async -> Outcome {
    guard !isStopped else { return .refused(reason: SyncError(.stopped).text) }
    let decision = ask(.app)
    guard !decision.isRefused else { return .refused(reason: decision.reason ?? "") }
    return await outcome(ofRun: machine.runs)
  }

  /// Asks for a run and begins it where the machine lets it.
  @discardableResult
  func ask(_ trigger: SyncTrigger) -> SyncDecision {
    watchNetwork()
    if machine.run == nil && !isBreakerOpen { queueForgottenRows() }
    let decision = handle(.syncRequested(trigger))
    // Claimed: from here on no other caller gets past the machine.
    let first = perform(decision)
    if let first { startRun(machine.runs, with: first) }
    writeRecord()
    return decision
  }

  private func startRun(_ number: Int, with first: SyncAction) {
    // Whoever asks may be a call of the run before; this run is no one's call.
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

  /// Carries out what takes time, and what follows from it, until the run is over.
  private func carryOut(_ first: SyncAction) async {
    var next: SyncAction? = first
    while let action = next {
      // Whoever watches learns what is being done while it is being done.
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

  /// Has the machine decide, does at once what waits for nothing, and returns what is to be done next.
  func decide(_ event: SyncEvent) -> SyncAction? { perform(handle(event)) }

  /// Does at once what a decision asks for and waits for nothing; a store that fails ends the run.
  ///
  /// - Returns: What takes time, and comes next.
  func perform(_ decision: SyncDecision) -> SyncAction? {
    var next: SyncAction?
    for action in decision.actions {
      switch action {
      case .bootstrap:
        next = action
        if decision.failure?.code == .cursorExpired { startOver = .cursorExpired }
        if machine.wantsResync || machine.cursor.isStart { notify(.startsOver(startOver ?? .noCursor)) }
      case .probe, .push, .pull: next = action
      case .requestRun(let trigger): if !isStopped { ask(trigger) }
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
    case .cancelTimer: cancelTimer()
    case .cancelRun: runTask?.cancel()
    case .dropStore: dropStore()
    case .releaseRun: releaseRun()
    case .notifyBootstrapCompleted: notifyBootstrapCompleted()
    // The machine's own, or performed where its context is: by the push, by the caller that waits.
    default: break
    }
  }

  /// Reports a failure of the active run, or its cancellation.
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
    // For people, like the history: a run is not failed because its time could not be written down.
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
    // Apart: an observer that does not return delays no one.
    _ = environment.tasks.start { notify() }
  }

  /// The values kept between launches.
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
      self.init(Self.networkCode(of: error), detail: String(describing: error))
    }
  }

  /// Foundation's errors of the network, by their numbers: all of Foundation would come with the names.
  ///
  /// They are those of `NSURLErrorDomain` in its documentation.
  private static func networkCode(of error: any Error) -> Code {
    guard error._domain == "NSURLErrorDomain" else { return .other }
    return switch error._code {
    case -1001: .timeout
    case -999: .cancelled
    // Not connected, connection lost, no host to connect to, host not found, no name service, roaming, no data allowed.
    case -1009, -1005, -1004, -1003, -1006, -1018, -1020: .noConnection
    default: .other
    }
  }
}
