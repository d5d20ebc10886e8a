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
    case .run(let run):
      phase = nil
      if run.status == .success || (run.status == .partial && run.failure == nil) { trouble = nil }
      EngineBasics<Record, Entry>.append(run, at: time, to: &runs)
    case .conflict: conflicts += 1
    case .fault(let fault): basics.handle(RecordedFault(fault), at: time)
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
    EngineBasics<Record, Entry>.append(transition, at: time, to: &transitions)
    note(RecordedValue(time: time, value: transition))
    pending = max(0, transition.pending)
    next = Next(transition)
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
  }

  /// Records the end of a run, or the start of one.
  private mutating func note(_ decision: RecordedValue<SyncTransition>) {
    guard !decision.value.refused else { return }
    switch SyncEvent.Kind(rawValue: decision.value.event) {
    case .pendingCleared: (trouble, limitedSince) = (nil, nil)
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
    if mutation.nextCause != nil { next = Next(mutation) }
    switch mutation.state {
    case .queued, .sent:
      dead.removeAll { $0.id == mutation.id }
      if waiting[mutation.id] != nil {
        if let place = place(of: mutation) { queue[place] = mutation }
      } else if queue.count < Self.queueLimit {
        queue.append(mutation)
        // The device's clock may be wrong; the record's time is the engine's.
        waiting[mutation.id] = mutation.state == .queued ? time : min(time, Timestamp(mutation.createdAt))
      }
    case .acknowledged, .dead, .cleared, .superseded, .erased:
      dead.removeAll { $0.id == mutation.id }
      if mutation.state == .dead, dead.count < Self.queueLimit { dead.append(mutation) }
      guard waiting.removeValue(forKey: mutation.id) != nil, let place = place(of: mutation) else { return }
      queue.remove(at: place)
    }
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
    case .run, .conflict, .fault, .caption, .simulation, .configuration, .interval, .event: break
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

extension SyncTransition {
  /// True if both are failures of the same kind in the same step.
  fileprivate func isLike(_ other: SyncTransition) -> Bool {
    event == other.event && failure == other.failure && httpStatus == other.httpStatus
  }
}
