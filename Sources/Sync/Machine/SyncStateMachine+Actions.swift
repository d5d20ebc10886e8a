import Resilience
import TelemetryCore

extension SyncStateMachine {
  /// Applies an action of the machine's own; actions of the driver change nothing here.
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
    case .requestResync:
      (cursor, wantsResync) = (.start, true)
      run?.cursors = []
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
    (retryUntil, heldUntil, limitedUntil) = (nil, nil, nil)
    // Also tells the breaker that its backoff has elapsed; the row has already decided that the run may begin.
    _ = breaker.permit(at: moment.now)
    run = ActiveRun(
      sequence: runs, trigger: trigger, startedAt: moment.now,
      followsBackoff: breaker.state(at: moment.now) == .halfOpen)
  }

  private mutating func rememberRequest() {
    run?.isRequested = true
    if run?.phase == .pulling || run?.phase == .bootstrapping { run?.isRequestedLate = true }
  }

  /// Releases the run.
  ///
  /// - Returns: Whether a run requested in the meantime follows; not if a retry or the breaker has to be waited for.
  mutating func release(pending: Int, at now: Duration) -> Bool {
    guard let run else { return false }
    self.run = nil
    guard run.isRequested, retryUntil == nil, breaker.state(at: now) != .open,
      run.isRequestedLate || (run.isQueuedLate && pending > 0)
    else { return false }
    guard let limitedUntil, limitedUntil > now else { return true }
    noteHeld(until: limitedUntil)
    return false
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

  /// The cursor never moves back; a page without one leaves it unchanged.
  private mutating func advanceCursor(_ event: SyncEvent) {
    switch event {
    case .pageApplied(cursor: let new, count: let count, hasMore: _),
      .bootstrapApplied(cursor: let new, count: let count):
      run?.pulled.add(count)
      guard movesOn(to: new) else { return }
      if cursor.text != nil { run?.cursors.insert(cursor) }
      cursor = new
    default: break
    }
  }

  /// Schedules a retry after a call without an answer; an answered or cancelled run waits for the next request.
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
    isRetryAsked = asked > wait
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
      let end = moment.now + min(asked ?? .zero, SyncConfiguration.longestRetryAfter)
      if end > moment.now { limitedUntil = max(limitedUntil ?? end, end) }
    case .clearRateLimits: if moment.event.isAnswered { breaker.recordOtherAnswer() }
    case .forgetGrowth: breaker.recordSuccess()
    case .clearBreaker:
      breaker.recordSuccess()
      limitedUntil = nil
    case .resetBreaker:
      breaker.reset()
      limitedUntil = nil
      // Timers that found the breaker open are over.
      (retryUntil, heldUntil) = (
        retryUntil.map { max($0, moment.now) }, heldUntil.map { max($0, moment.now) }
      )
    default: break
    }
  }

  /// The summary of the active run if it ends here.
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
  /// Adds an external count: negative ones count as 0, and the sum saturates.
  fileprivate mutating func add(_ count: Int) {
    let (sum, isOver) = addingReportingOverflow(Swift.max(0, count))
    self = isOver ? .max : sum
  }
}

extension SyncEvent {
  /// True if the server answered at all.
  var isAnswered: Bool {
    switch self {
    case .pushFailed(let error, _), .batchFailed(let error): error.isAnswered
    default: true
    }
  }

  /// The event's failure, if any.
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
