import Essentials
import MisterMetricsCore
import Resilience
import TelemetryCore

extension SyncEngine {
  /// Lets the machine decide on an event, and journals the decision.
  func handle(_ event: SyncEvent) -> SyncDecision {
    let now = environment.clock.now
    // If the event ends the run, the engine returns to the changes that the run left out.
    if let moment = held.values.min() { machine.noteHeld(until: moment) }
    let decision = draw { machine.handle(event, at: now, pending: pending, using: &$0) }
    if let journal {
      var transition = SyncTransition(decision, of: machine, at: now, pending: pending, isByHand, branch)
      let time = journal.time.timeIntervalSinceReferenceDate
      transition.online = isOnline
      transition.tell(nextRun, at: now, recordTime: time)
      transition.floor = machine.retryUntil.map { time + ($0 - now) / .seconds(1) }
      if machine.run == nil { transition.wake = machine.wakeUp.map { time + ($0 - now) / .seconds(1) } }
      transition.limit =
        machine.isLimited(at: now) ? machine.limitedUntil.map { time + ($0 - now) / .seconds(1) } : nil
      journal.add(SyncMetric.transition, transition)
    }
    recordBreaker(at: now)
    publish()
    return decision
  }

  func record(_ mutation: Mutation, _ state: SyncMutation.State, waitsFor parent: EntityKey? = nil) {
    guard let journal else { return }
    let time = journal.time.timeIntervalSinceReferenceDate
    var entry = SyncMutation(mutation, state, branch)
    entry.waitsFor = parent.map { "\($0.kind) \($0.id)" }
    // In the clock of the record: the device's may be wrong.
    entry.notBefore = mutation.remainingDelay(at: environment.clock.wallTime).map { time + $0 / .seconds(1) }
    if machine.run == nil { entry.tell(nextRun, at: environment.clock.now, recordTime: time) }
    journal.add(SyncMetric.mutation, entry)
  }

  /// Records a pending mutation that was rewritten because of the server's state.
  func recordRewritten(_ mutation: Mutation) {
    var entry = SyncMutation(mutation, .queued, branch)
    entry.rewritten = true
    journal?.add(SyncMetric.mutation, entry)
  }

  /// Records the create that a mutation waits for, once.
  func record(_ mutation: Mutation, waitsFor parent: EntityKey) {
    guard !toldWaiting.contains(mutation.id) else { return }
    // Each record names only the first of many mutations that wait for the same create.
    if toldWaiting.count >= 1000 { toldWaiting = [] }
    toldWaiting.insert(mutation.id)
    record(mutation, .queued, waitsFor: parent)
  }

  func recordPending() {
    journal?.add(SyncMetric.pending, pending)
    publish()
  }

  private func recordBreaker(at now: Duration) {
    guard let journal else { return }
    let current = RecordedBreaker(
      breaker: machine.breaker, state: machine.breaker.state(at: now), refusedCalls: machine.refusedCalls)
    guard current != recordedBreaker else { return }
    recordedBreaker = current
    journal.add(
      SyncMetric.breaker,
      SyncBreaker(machine, at: now, recordTime: journal.time, byHand: isByHand, branch: branch))
  }

  func record(_ summary: SyncRunSummary) {
    // A skipped run leaves the state error as it is, and so its failure.
    if summary.status != .skipped || machine.state.kind != .error {
      lastFailure = summary.status == .success ? nil : summary.failure ?? runFailure ?? lastFailure
    }
    publish()
    conclude(summary)
    notify(.run(summary))
    journal?.add(SyncMetric.run, SyncRun(summary, branch))
    // A store in use belongs to another engine, which writes its history.
    guard summary.status != .skipped, summary.failure?.code != .storeInUse else { return }
    // Each engine numbers its runs from 1; rows are numbered across engines.
    let id = (history.map(\.id).max() ?? 0).addingReportingOverflow(1).partialValue
    history.insert(SyncHistoryRow(id: id, summary, at: environment.clock.wallTime), at: 0)
    history = Array(history.prefix(machine.configuration.historyRows))
    // The history is informational: a failure to write it does not fail the run.
    do { try preferences.setHistory(history) } catch { unwrittenHistory += 1 }
  }

  /// Writes the journal in the background: a store that hangs delays nothing else.
  func writeRecord() {
    guard let journal, let metrics = environment.metrics, recordWriter == nil, journal.hasEntries else {
      return
    }
    recordWriter = environment.tasks.start { [weak self] in
      await journal.write(to: metrics)
      await self?.endWriting()
    }
  }

  private func endWriting() {
    recordWriter = nil
    writeRecord()
  }

  /// Waits, without a limit, until everything recorded so far is in the metric store.
  public func recordsWritten() async {
    while let writer = recordWriter { await writer.value }
  }

  func begin(_ interval: SyncSignposts.Interval) {
    intervals[interval] = metrics.begin(interval)
    intervalOrder.append(interval)
  }

  /// Ends all open intervals, innermost first.
  func endIntervals(_ outcome: String) {
    for interval in intervalOrder.reversed() { end(interval, outcome) }
  }

  func end(_ interval: SyncSignposts.Interval, _ outcome: String) {
    guard let state = intervals.removeValue(forKey: interval) else { return }
    intervalOrder.removeAll { $0 == interval }
    metrics.end(interval, state, message: outcome)
  }
}

/// The values that distinguish one record of the breaker from the next.
struct RecordedBreaker: Hashable {
  let breaker: CircuitBreaker
  let state: CircuitBreaker.State
  let refusedCalls: Int
}

extension SyncSignposts {
  /// Creates signposts on the engine's clock, journaled in order with everything else.
  init(journal: MetricJournal, clock: any SyncClock) {
    self.init(
      Signposter(category: Self.category, now: { clock.now }, sink: { journal.add($0) }))
  }
}

extension MetricJournal {
  /// Adds a signpost record.
  func add(_ record: SignpostRecord) {
    let bucket = Bucket(record.category)
    switch record.value {
    case .interval(let interval): add(bucket.metric(record.name.description), interval)
    case .event(let event): add(bucket.metric(record.name.description), event)
    }
  }
}

extension SyncTransition {
  init(
    _ decision: SyncDecision, of machine: SyncStateMachine, at now: Duration, pending: Int, _ byHand: Bool,
    _ branch: Int
  ) {
    var (synced, total): (Int?, Int?) = (nil, nil)
    var retryAfter: Double?
    var message: String?
    switch decision.to {
    case .syncing(let done, let all): (synced, total) = (done, all)
    case .rateLimited(let wait, _): retryAfter = wait / .seconds(1)
    case .error(let text): message = text
    case .idle, .pulling: break
    }
    self.init(
      sequence: decision.sequence, from: decision.from.kind.rawValue, to: decision.to.kind.rawValue,
      event: decision.event.kind.rawValue, refused: decision.isRefused, reason: decision.reason,
      engineTime: now / .seconds(1), synced: synced, total: total, pending: pending, retryAfter: retryAfter,
      message: message, byHand: byHand, branch: branch, rule: decision.rule?.number,
      origin: decision.event.origin(byHand: byHand).rawValue,
      run: machine.run?.sequence ?? decision.summary?.sequence, phase: machine.run?.phase.rawValue,
      trigger: decision.event.trigger?.rawValue, failure: decision.failure?.code.rawValue,
      httpStatus: decision.failure?.status)
  }
}

extension SyncMutation {
  init(_ mutation: Mutation, _ state: State, _ branch: Int) {
    self.init(
      id: mutation.id, kind: mutation.entity.kind, operation: mutation.operation.rawValue,
      entity: mutation.entity.id, bytes: mutation.payload.count, attempts: mutation.attempts, state: state,
      lastError: mutation.lastError, createdAt: mutation.createdAt.timeIntervalSinceReferenceDate,
      branch: branch)
  }
}

extension SyncConflictRecord {
  init(_ resolved: ResolvedConflict, _ branch: Int) {
    let conflict = resolved.conflict
    let resolution =
      switch resolved.resolution {
      case .keepLocal: "keepLocal"
      case .takeRemote: "takeRemote"
      case .merge: "merge"
      }
    self.init(
      kind: conflict.entity.kind, entity: conflict.entity.id, cause: conflict.cause.rawValue,
      resolution: resolution,
      members: (conflict.local ?? conflict.remote ?? [:]).keys.sorted().joined(separator: ", "),
      branch: branch)
  }
}

extension SyncBreaker {
  init(_ machine: SyncStateMachine, at now: Duration, recordTime: Date, byHand: Bool, branch: Int) {
    let breaker = machine.breaker
    let remaining = breaker.remaining(at: now)
    self.init(
      state: breaker.state(at: now).rawValue, consecutive: breaker.consecutiveFailures,
      threshold: breaker.configuration.threshold, multiplier: breaker.multiplier,
      until: remaining > .zero
        ? recordTime.timeIntervalSinceReferenceDate + remaining / .seconds(1) : nil,
      refusedCalls: machine.refusedCalls, byHand: byHand, branch: branch)
  }
}

extension SyncRun {
  init(_ summary: SyncRunSummary, _ branch: Int) {
    self.init(
      sequence: summary.sequence, status: summary.status, pushed: summary.pushed, pulled: summary.pulled,
      failed: summary.failed, durationMs: summary.duration / .milliseconds(1), error: summary.error,
      bootstrap: summary.isBootstrap, cursor: Int(summary.cursor.number), cursorText: summary.cursor.text,
      trigger: summary.trigger.rawValue, failure: summary.failure?.code.rawValue,
      httpStatus: summary.failure?.status, branch: branch)
  }
}

extension SyncHistoryRow {
  init(id: Int, _ summary: SyncRunSummary, at time: Date) {
    var run = summary
    run.failure = summary.failure.map {
      SyncError($0.code, status: $0.status, detail: SyncError.bounded($0.detail), retryAfter: $0.retryAfter)
    }
    self.init(id: id, time: time, run: run)
  }
}
