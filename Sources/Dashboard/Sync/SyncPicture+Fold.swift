import Sync
import Telemetry

extension SyncPicture {
  /// Takes one entry in.
  package mutating func take(_ record: SyncRecord, at time: Double) {
    defer { lastTime = max(lastTime ?? time, time) }
    switch record {
    case .transition(let transition): take(transition, at: time)
    case .mutation(let mutation): take(mutation)
    case .pending(let count): take(pending: max(0, count), at: time)
    case .breaker(let breaker):
      let wasOpen = self.breaker?.value.state == "open"
      if breaker.state == "open" && !wasOpen { opens += 1 }
      self.breaker = Timed(time: time, value: breaker)
    case .run(let run):
      phase = nil
      Self.append(Timed(time: time, value: run), to: &runs)
    case .fault(let fault):
      if let place = faults.firstIndex(where: { $0.fault == fault.fault && $0.scope == fault.scope }) {
        faults[place] = fault
      } else if faults.count < Self.listLimit {
        faults.append(fault)
      }
    case .simulation(let new):
      // Another start, or another scenario: what was before belongs to another engine.
      if new.step == 0 || new.scenario != simulation?.scenario || new.seed != simulation?.seed {
        self = SyncPicture()
      }
      simulation = new
    case .configuration(let new): configuration = new
    case .interval(let name, let interval): take(interval, name)
    case .event(let name, let event): events[name, default: 0] += max(0, min(event.count, 1_000_000))
    }
  }

  private mutating func take(_ transition: SyncTransition, at time: Double) {
    decisions += 1
    if transition.refused { refusals += 1 }
    Self.append(Timed(time: time, value: transition), to: &transitions)
    pending = max(0, transition.pending)
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
      cause = Timed(time: time, value: transition)
    }
    state = to
    if !transition.refused { follow(SyncEvent.Kind(rawValue: transition.event), to) }
  }

  /// What the active run does after an event that was acted on.
  private mutating func follow(_ event: SyncEvent.Kind?, _ to: SyncState.Kind) {
    switch event {
    case .syncRequested: phase = .probing
    case .probeSucceeded: phase = .pushing
    case .pushFinished: phase = .pulling
    case .probeFailed, .runFailed, .runCancelled, .bootstrapApplied: phase = nil
    case .pushAcknowledged, .pushDuplicated, .pushFailed, .batchFailed, .rateLimited, .pageApplied,
      .backoffElapsed,
      .breakerReset, .pendingCleared, .resyncForced, .cursorSkipped, .storeReset, nil:
      if phase != .probing && (to == .idle || to == .error || to == .rateLimited) { phase = nil }
    }
  }

  private mutating func take(_ mutation: SyncMutation) {
    outcomes[mutation.state, default: 0] += 1
    let place = queue.firstIndex { $0.id == mutation.id }
    switch mutation.state {
    case .queued, .sent:
      if let place {
        queue[place] = mutation
      } else if queue.count < Self.queueLimit {
        queue.append(mutation)
      }
    case .acknowledged, .dead, .cleared:
      if let place { queue.remove(at: place) }
    }
  }

  private mutating func take(pending count: Int, at time: Double) {
    pending = count
    Self.append(Timed(time: time, value: count), to: &depths)
  }

  private mutating func take(_ interval: SignpostInterval, _ name: String) {
    guard intervals[name] != nil || intervals.count < 100, interval.durationMs.isFinite else { return }
    var tally = intervals[name] ?? IntervalTally()
    tally.count += 1
    tally.last = interval.durationMs
    tally.sum += interval.durationMs
    tally.longest = max(tally.longest, interval.durationMs)
    intervals[name] = tally
  }

  private static func append<Value>(_ value: Value, to list: inout [Value]) {
    list.append(value)
    // In pieces, so that a long record does not move the whole list for every entry.
    if list.count > 2 * listLimit { list.removeFirst(list.count - listLimit) }
  }
}
