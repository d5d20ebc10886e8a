package import Platform
import Sync
import SyncSimulation
import TelemetryCore

/// The record of a sync engine.
package typealias SyncLog = EngineLog<EngineState>
/// Two branches of a sync engine, compared.
package typealias SyncComparison = EngineComparison<EngineState>

extension SyncBreaker: BreakerStatement {}

extension EngineState {
  package mutating func handle(_ record: SyncRecord, at time: Timestamp) {
    basics.lastTime = time
    list(record, at: time)
    switch record {
    case .transition(let transition): handle(transition, at: time)
    case .mutation(let mutation): handle(mutation, at: time)
    case .pending(let count): setPending(max(0, count), at: time)
    case .breaker(let breaker):
      // Refusals are recorded as well; only a different end means another opening.
      if !breaker.isOpen {
        openedAt = nil
      } else if self.breaker?.value.isOpen != true
        || abs((breaker.until ?? 0) - (self.breaker?.value.until ?? 0)) > 0.001
      {
        openedAt = time
      }
      basics.handle(breaker, at: time)
      limitedSince = breaker.consecutive > 0 ? limitedSince ?? time : nil
      if limitedSince == nil { limits = 0 }
    case .run(let run):
      phase = nil
      if run.status == .success || (run.status == .partial && run.failure == nil) { trouble = nil }
      EngineBasics<Record, Entry>.append(run, at: time, to: &runs)
    case .network(let network): offlineSince = network.online ? nil : offlineSince ?? time
    case .conflict: conflicts += 1
    case .fault(let fault):
      basics.handle(RecordedFault(fault), at: time)
      if fault.fault == SimulatedFault.offline.rawValue {
        offlineSince = fault.on ? offlineSince ?? time : nil
      }
    case .caption(let caption): story = caption.shown
    case .simulation(let new): basics.simulation = new
    case .configuration(let new): configuration = new
    case .interval(let name, let interval): handle(interval, name)
    case .event(let name, let event): events[name, default: 0] += max(0, min(event.count, 1_000_000))
    }
  }

  private mutating func handle(_ transition: SyncTransition, at time: Timestamp) {
    decisions += 1
    if transition.refused { refusals += 1 }
    // Decisions are numbered from 1 again by a new engine, whose state has begun with it.
    if let last = transitions.last?.value, transition.sequence <= last.sequence { since = nil }
    EngineBasics<Record, Entry>.append(transition, at: time, to: &transitions)
    note(RecordedValue(time: time, value: transition))
    pending = max(0, transition.pending)
    next = Next(transition)
    if transition.online == true, !isOfflineByFault { offlineSince = nil }
    guard let from = SyncState.Kind(rawValue: transition.from),
      let to = SyncState.Kind(rawValue: transition.to)
    else { return }
    if from != to || to == .syncing && !transition.refused {
      var tally = arrows[Arrow(from: from, to: to)] ?? Tally()
      tally.count += 1
      tally.lastAt = time
      tally.seconds += max(0, time - (since ?? time))
      arrows[Arrow(from: from, to: to)] = tally
    }
    if from != to || since == nil {
      since = time
      cause = RecordedValue(time: time, value: transition)
    }
    state = to
    if transition.origin != nil {
      phase = transition.phase.flatMap(SyncStateMachine.ActiveRun.Phase.init)
    } else if !transition.refused {
      follow(SyncEvent.Kind(rawValue: transition.event), to)
    }
    if !transition.refused, SyncEvent.Kind(rawValue: transition.event)?.isCommand == false {
      calledSince = phase == nil ? nil : time
    }
  }

  /// Records the end of a run, or the start of one.
  private mutating func note(_ decision: RecordedValue<SyncTransition>) {
    guard !decision.value.refused else { return }
    noteUnanswered(decision)
    if decision.value.event == SyncEvent.Kind.rateLimited.rawValue { limits = min(limits, .max - 1) + 1 }
    switch SyncEvent.Kind(rawValue: decision.value.event) {
    case .pendingCleared: (trouble, limitedSince, limits) = (nil, nil, 0)
    case .probeFailed where decision.value.failure == SyncError.Code.cancelled.rawValue: break
    case .probeFailed, .rateLimited, .pushInterrupted, .runFailed, .runCancelled:
      guard decision.value.phase == nil else { return }
      if let before = trouble, before.last.value.isLike(decision.value) {
        trouble?.count += 1
        trouble?.last = decision
      } else {
        trouble = Trouble(since: decision.time, last: decision)
      }
    default: break
    }
  }

  /// Records that the requests without an answer ended with this decision.
  private mutating func noteUnanswered(_ decision: RecordedValue<SyncTransition>) {
    var until: Timestamp?
    switch SyncEvent.Kind(rawValue: decision.value.event) {
    case .rateLimited, .pushInterrupted, .batchFailed, .runFailed: break
    // The server may still answer.
    case .runCancelled: until = calledSince.map { $0 + configuration.callDeadline / .seconds(1) }
    default: return
    }
    for change in queue where change.state == .sent && unanswered[change.id] == nil {
      unanswered[change.id] = Unanswered(
        time: decision.time, reason: decision.value.reason ?? "no reason is recorded",
        isLimit: decision.value.event == SyncEvent.Kind.rateLimited.rawValue, until: until)
    }
  }

  /// Advances the active run after an accepted event, for older records that do not include the phase.
  private mutating func follow(_ event: SyncEvent.Kind?, _ to: SyncState.Kind) {
    switch event {
    case .syncRequested: phase = .probing
    case .probeSucceeded: phase = .pushing
    case .pushFinished: phase = .pulling
    case .probeFailed, .runFailed, .runCancelled, .bootstrapApplied: phase = nil
    case .pushAcknowledged, .pushDuplicated, .pushFailed, .batchFailed, .rateLimited, .pageApplied,
      .pushInterrupted, .pushConflicted, .backoffElapsed, .retryElapsed, .networkReturned, .breakerReset,
      .pendingCleared, .resyncForced, .cursorSkipped, .storeReset, nil:
      if phase != .probing && (to == .idle || to == .error || to == .rateLimited) { phase = nil }
    }
  }

  private mutating func handle(_ mutation: SyncMutation, at time: Timestamp) {
    outcomes[mutation.state, default: 0] += 1
    unanswered[mutation.id] = nil
    if mutation.nextCause != nil { next = Next(mutation) }
    switch mutation.state {
    case .queued, .sent:
      dead.removeAll { $0.id == mutation.id }
      if mutation.state == .sent, phase == .pushing { calledSince = time }
      if waiting[mutation.id] != nil {
        guard let place = place(of: mutation) else { return }
        let parent = queue[place].waitsFor
        queue[place] = mutation
        // The parent of a change is recorded once.
        if mutation.state == .queued { queue[place].waitsFor = mutation.waitsFor ?? parent }
      } else if queue.count < Self.queueLimit {
        queue.append(mutation)
        // The device's clock may be wrong; the record's time is the engine's.
        waiting[mutation.id] = mutation.state == .queued ? time : min(time, Timestamp(mutation.createdAt))
      }
    case .acknowledged, .dead, .cleared, .superseded, .erased:
      dead.removeAll { $0.id == mutation.id }
      if mutation.state == .dead, dead.count < Self.queueLimit { dead.append(mutation) }
      if mutation.state == .acknowledged {
        release(mutation)
        trouble?.hasAnswers = true
      }
      guard waiting.removeValue(forKey: mutation.id) != nil, let place = place(of: mutation) else { return }
      queue.remove(at: place)
    }
  }

  /// Changes no longer wait for an entity that the server has accepted.
  private mutating func release(_ parent: SyncMutation) {
    guard parent.operation == Mutation.Operation.create.rawValue else { return }
    let name = "\(parent.kind) \(parent.entity)"
    for place in queue.indices where queue[place].waitsFor == name { queue[place].waitsFor = nil }
  }

  private func place(of mutation: SyncMutation) -> Int? { queue.firstIndex { $0.id == mutation.id } }

  private mutating func setPending(_ count: Int, at time: Timestamp) {
    pending = count
    EngineBasics<Record, Entry>.append(count, at: time, to: &depths)
  }

  private mutating func handle(_ interval: SignpostInterval, _ name: String) {
    guard intervals[name] != nil || intervals.count < 100, interval.durationMs.isFinite else { return }
    var tally = intervals[name] ?? IntervalTally()
    tally.count += 1
    tally.last = interval.durationMs
    tally.sum += interval.durationMs
    tally.longest = max(tally.longest, interval.durationMs)
    intervals[name] = tally
  }

  package var waitEnd: Timestamp? { breaker?.value.isOpen == true ? openUntil : nil }

  package var progress: EngineProgress {
    EngineProgress(pending: pending, breaker: breaker?.value, waiting: waiting)
  }

  package static func fold(_ record: SyncRecord, at time: Timestamp, into progress: inout EngineProgress) {
    switch record {
    case .transition(let transition): progress.setPending(max(0, transition.pending), at: time)
    case .pending(let count): progress.setPending(max(0, count), at: time)
    case .breaker(let breaker): progress.handle(breaker)
    case .mutation(let mutation):
      let created = min(time, Timestamp(mutation.createdAt))
      switch mutation.state {
      case .queued: progress.begin(mutation.id, at: time)
      case .sent: progress.begin(mutation.id, at: created)
      case .acknowledged:
        progress.acknowledged += 1
        progress.end(mutation.id, at: time, since: created)
      case .dead, .cleared, .superseded, .erased: progress.forget(mutation.id)
      }
    case .run, .network, .conflict, .fault, .caption, .simulation, .configuration, .interval, .event: break
    }
  }
}

extension RecordedFault {
  fileprivate init(_ fault: SyncFault) {
    self.init(
      fault: fault.fault, amount: fault.amount, probability: fault.probability, scope: fault.scope,
      isOn: fault.on, isByHand: fault.byHand)
  }
}

extension SyncCaption {
  /// The caption, limited to the displayed length: another program's file may hold longer text.
  fileprivate var shown: String {
    let longest = TimedAct.longestCaption
    return text.count > longest ? String(text.prefix(longest)) + "\u{2026}" : text
  }
}

extension SyncEvent.Kind {
  /// True for what the app or the device reports, as opposed to the steps of a run.
  fileprivate var isCommand: Bool {
    switch self {
    case .networkReturned, .breakerReset, .pendingCleared, .resyncForced, .cursorSkipped, .storeReset: true
    default: false
    }
  }
}

extension SyncTransition {
  /// True if both are failures of the same kind in the same step.
  fileprivate func isLike(_ other: SyncTransition) -> Bool {
    event == other.event && failure == other.failure && httpStatus == other.httpStatus
  }
}
