import Resilience
import TelemetryCore

extension SyncStateMachine {
  /// Takes one step of the machine's own; the driver's change nothing here.
  mutating func apply(
    _ action: SyncAction, at moment: SyncMoment, using generator: inout some RandomNumberGenerator
  ) {
    switch action {
    case .claimRun: claim(moment)
    case .rememberRequest: rememberRequest()
    case .begin(let interval): run?.intervals.append(interval)
    case .end(let interval): run?.intervals.removeAll { $0 == interval }
    case .endIntervals: run?.intervals = []
    case .push: start(.pushing, moment)
    case .bootstrap: start(.bootstrapping, moment)
    case .pull: start(.pulling, moment)
    case .countPushed, .countDone, .countFailed: count(action, moment.event)
    case .advanceCursor: advanceCursor(moment.event)
    case .clearResync: (wantsResync, missingKinds) = (false, [])
    case .requestResync: (cursor, wantsResync) = (.start, true)
    case .skipCursor: if case .cursorSkipped(let latest) = moment.event { cursor = latest }
    case .waitForRetry: waitForRetry(moment, using: &generator)
    case .forgetRetries: retries = 0
    case .refuse, .countRateLimit, .trip, .clearRateLimits, .forgetGrowth, .resetBreaker, .clearBreaker:
      setBreaker(action, moment, using: &generator)
    case .releaseRun, .recordRun, .emit, .probe, .keepMutation, .resolveConflict, .buryMutation,
      .storeSuccess, .notifyBootstrapCompleted, .requestRun, .cancelTimer, .awaitRun, .cancelRun, .dropStore:
      break
    }
  }

  private mutating func claim(_ moment: SyncMoment) {
    let trigger = if case .syncRequested(let trigger) = moment.event { trigger } else { SyncTrigger.app }
    runs += 1
    (retryUntil, heldUntil) = (nil, nil)
    // Tells the breaker, too, that its backoff is over; whether a run may begin was the row's to say.
    _ = breaker.permit(at: moment.now)
    run = ActiveRun(
      sequence: runs, trigger: trigger, startedAt: moment.now,
      followsBackoff: breaker.state(at: moment.now) == .halfOpen)
  }

  private mutating func rememberRequest() {
    run?.isRequested = true
    if run?.phase == .pulling || run?.phase == .bootstrapping { run?.isRequestedLate = true }
  }

  /// Gives the run free.
  ///
  /// - Returns: Whether a run follows that was asked for meanwhile: not while there is something else to wait for.
  mutating func release(pending: Int, at now: Duration) -> Bool {
    guard let run else { return false }
    self.run = nil
    guard run.isRequested, retryUntil == nil, breaker.state(at: now) != .open else { return false }
    return run.isRequestedLate || (run.isQueuedLate && pending > 0)
  }

  private mutating func start(_ phase: ActiveRun.Phase, _ moment: SyncMoment) {
    if phase == .pushing { run?.total = moment.pending }
    run?.phase = phase
  }

  private mutating func count(_ action: SyncAction, _ event: SyncEvent) {
    switch action {
    case .countPushed:
      let count = if case .pushAcknowledged(let count) = event { max(0, count) } else { 1 }
      run?.pushed.add(count)
      run?.synced.add(count)
    case .countDone: run?.synced.add(1)
    case .countFailed: run?.failed.add(1)
    default: break
    }
    if let run { self.run?.total = max(run.total, run.synced) }
  }

  /// A cursor never goes back, and a page without one leaves it alone.
  private mutating func advanceCursor(_ event: SyncEvent) {
    switch event {
    case .pageApplied(cursor: let new, count: let count, hasMore: _),
      .bootstrapApplied(cursor: let new, count: let count):
      run?.pulled.add(count)
      if new.isBeyond(cursor) { cursor = new }
    default: break
    }
  }

  /// No one asks again at once what got no answer; what was answered, or cancelled, waits for whoever asks.
  private mutating func waitForRetry(
    _ moment: SyncMoment, using generator: inout some RandomNumberGenerator
  ) {
    guard let failure = moment.failure else { return }
    switch moment.event {
    case .pushInterrupted: break
    case .probeFailed: guard moment.pending > 0, failure.code != .cancelled else { return }
    case .rateLimited: guard moment.pending > 0 else { return }
    case .runFailed where failure.code == .store || failure.code == .storeUnavailable:
      guard moment.pending > 0 else { return }
    default: guard failure.isTransient else { return }
    }
    retries.add(1)
    let wait = configuration.retry.wait(
      multiplier: configuration.retry.multiplier(ofWait: retries), using: &generator)
    let asked = min(failure.retryAfter ?? .zero, SyncConfiguration.longestRetryAfter)
    retryUntil = moment.now + max(wait, asked)
  }

  private mutating func setBreaker(
    _ action: SyncAction, _ moment: SyncMoment, using generator: inout some RandomNumberGenerator
  ) {
    switch action {
    case .refuse: if breaker.state(at: moment.now) == .open { refusedCalls.add(1) }
    case .countRateLimit, .trip:
      run?.rateLimits.add(1)
      let asked = if case .rateLimited(let asked) = moment.event { asked } else { Duration?.none }
      _ = breaker.recordFailure(at: moment.now, retryAfter: asked, using: &generator)
    case .clearRateLimits: if moment.event.isAnswered { breaker.recordOtherAnswer() }
    case .forgetGrowth, .clearBreaker: breaker.recordSuccess()
    case .resetBreaker: breaker.reset()
    default: break
    }
  }

  /// The summary of the active run when it ends here.
  func summary(_ ending: SyncEnding, _ moment: SyncMoment) -> SyncRunSummary? {
    guard let run else { return nil }
    let status: SyncRunSummary.Status =
      switch ending {
      case .completed: run.failed == 0 ? .success : .partial
      case .limited: run.pushed == 0 ? .failed : .partial
      case .failed: .failed
      case .skipped: .skipped
      }
    return SyncRunSummary(
      sequence: run.sequence, trigger: run.trigger, status: status, pushed: run.pushed, pulled: run.pulled,
      failed: run.failed, duration: moment.now - run.startedAt, failure: moment.failure,
      isBootstrap: run.phase == .bootstrapping, cursor: cursor)
  }
}

extension Int {
  /// Adds a count that came from outside: none below zero, and the sum stops at the largest number.
  fileprivate mutating func add(_ count: Int) {
    let (sum, isOver) = addingReportingOverflow(Swift.max(0, count))
    self = isOver ? .max : sum
  }
}

extension SyncEvent {
  /// True if the server answered, as against silence.
  var isAnswered: Bool {
    switch self {
    case .pushFailed(let error, _), .batchFailed(let error): error.isAnswered
    default: true
    }
  }

  /// The failure that the event brings, if it is one.
  var failure: SyncError? {
    switch self {
    case .probeFailed(let error), .runFailed(let error), .pushInterrupted(let error),
      .pushConflicted(let error),
      .pushFailed(let error, _), .batchFailed(let error):
      error
    case .rateLimited(let asked): SyncError(.rateLimited, status: 429, retryAfter: asked)
    case .runCancelled: SyncError(.cancelled)
    case .syncRequested, .probeSucceeded, .pushAcknowledged, .pushDuplicated, .pushFinished, .pageApplied,
      .bootstrapApplied, .backoffElapsed, .retryElapsed, .networkReturned,
      .breakerReset, .pendingCleared, .resyncForced, .cursorSkipped, .storeReset:
      nil
    }
  }
}
