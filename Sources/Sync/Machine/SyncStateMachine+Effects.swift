import Resilience
import Telemetry

extension SyncStateMachine {
  /// Takes one step: changes what the machine remembers and says what the driver has to do.
  mutating func apply(
    _ effect: SyncEffect, at moment: SyncMoment, using generator: inout some RandomNumberGenerator
  ) -> [SyncAction] {
    switch effect {
    case .claimRun, .releaseRun, .countPushed, .countDone, .countFailed, .advanceCursor, .clearResync,
      .requestResync, .skipCursor:
      return remember(effect, moment)
    case .refuse, .countRateLimit, .trip, .clearRateLimits, .forgetGrowth, .resetBreaker, .clearBreaker:
      return setBreaker(effect, moment, using: &generator)
    case .begin(let interval):
      run?.intervals.append(interval)
      return [.begin(interval)]
    case .end(let interval):
      run?.intervals.removeAll { $0 == interval }
      return [.end(interval, outcome: "ok")]
    case .endIntervals: return endIntervals(moment)
    case .recordRun(let ending): return summary(ending, moment).map { [.recordRun($0)] } ?? []
    case .emit(let signal): return [.emit(signal)]
    case .probe: return [.probe]
    case .capturePendingDeletes: return [.capturePendingDeletes]
    case .push: return start(.pushing, .push, moment)
    case .bootstrap: return start(.bootstrapping, .bootstrap, moment)
    case .pull: return start(.pulling, .pull(since: cursor), moment)
    case .keepMutation: return [.keepMutation]
    case .buryMutation: return [.buryMutation]
    case .storeSuccess: return [.storeSuccess]
    case .notifyBootstrapCompleted: return [.notifyBootstrapCompleted]
    case .requestRun: return [.requestRun]
    case .cancelTimer: return [.cancelTimer]
    case .awaitRun: return [.awaitRun]
    case .cancelRun: return [.cancelRun]
    case .dropStore: return [.dropStore]
    }
  }

  private mutating func start(_ phase: ActiveRun.Phase, _ action: SyncAction, _ moment: SyncMoment)
    -> [SyncAction]
  {
    if phase == .pushing { run?.total = moment.pending }
    run?.phase = phase
    return [action]
  }

  private mutating func remember(_ effect: SyncEffect, _ moment: SyncMoment) -> [SyncAction] {
    switch effect {
    case .claimRun:
      runs += 1
      // Tells the breaker, too, that its backoff is over; whether a run may begin was the row's to say.
      _ = breaker.permit(at: moment.now)
      run = ActiveRun(
        sequence: runs, startedAt: moment.now, followsBackoff: breaker.state(at: moment.now) == .halfOpen)
      return []
    case .releaseRun:
      run = nil
      return [.releaseRun]
    case .advanceCursor: return advanceCursor(moment.event)
    case .clearResync:
      wantsResync = false
      return []
    case .requestResync:
      cursor = 0
      wantsResync = true
      return [.storeCursor(0)]
    case .skipCursor:
      guard case .cursorSkipped(let latest) = moment.event else { return [] }
      cursor = max(0, latest)
      return [.storeCursor(cursor)]
    default:
      count(effect, moment.event)
      return []
    }
  }

  private mutating func count(_ effect: SyncEffect, _ event: SyncEvent) {
    switch effect {
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
  private mutating func advanceCursor(_ event: SyncEvent) -> [SyncAction] {
    switch event {
    case .pageApplied(let new, let count, _):
      run?.pulled.add(count)
      guard new > cursor else { return [] }
      cursor = new
    case .bootstrapApplied(let new, let count):
      run?.pulled.add(count)
      cursor = max(cursor, new)
    default: return []
    }
    return [.storeCursor(cursor)]
  }

  private mutating func setBreaker(
    _ effect: SyncEffect, _ moment: SyncMoment, using generator: inout some RandomNumberGenerator
  ) -> [SyncAction] {
    switch effect {
    case .refuse: if breaker.state(at: moment.now) == .open { refusedCalls += 1 }
    case .countRateLimit, .trip:
      run?.rateLimits += 1
      let asked = if case .rateLimited(let asked) = moment.event { asked } else { Duration?.none }
      guard case .tripped = breaker.recordFailure(at: moment.now, retryAfter: asked, using: &generator) else {
        break
      }
      return breaker.until.map { [.startTimer(until: $0)] } ?? []
    case .clearRateLimits: if moment.event.isAnswered { breaker.recordOtherAnswer() }
    case .forgetGrowth, .clearBreaker: breaker.recordSuccess()
    case .resetBreaker: breaker.reset()
    default: break
    }
    return []
  }

  private mutating func endIntervals(_ moment: SyncMoment) -> [SyncAction] {
    let open = run?.intervals ?? []
    run?.intervals = []
    let outcome = moment.failure ?? "ok"
    return open.reversed().map { .end($0, outcome: outcome) }
  }

  private func summary(_ ending: SyncEnding, _ moment: SyncMoment) -> SyncRunSummary? {
    guard let run else { return nil }
    let status: SyncRunSummary.Status =
      switch ending {
      case .completed: run.failed == 0 ? .success : .partial
      case .limited: run.pushed == 0 ? .failed : .partial
      case .failed: .failed
      case .skipped: .skipped
      }
    return SyncRunSummary(
      sequence: run.sequence, status: status, pushed: run.pushed, pulled: run.pulled, failed: run.failed,
      duration: moment.now - run.startedAt, error: moment.failure, isBootstrap: run.phase == .bootstrapping,
      cursor: cursor)
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
  /// Whether the server answered, as against silence.
  var isAnswered: Bool {
    switch self {
    case .pushFailed(_, let isAnswered), .batchFailed(let isAnswered): isAnswered
    default: true
    }
  }
}
