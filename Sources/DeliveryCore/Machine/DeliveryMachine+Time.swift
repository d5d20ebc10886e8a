import Resilience

extension DeliveryMachine {
  mutating func started(stored: Int, inForeground: Bool, at now: Duration) -> [Action] {
    guard phase == .stopped else { return [] }
    phase = .running
    diskCount = stored
    isForeground = inForeground
    if inForeground { startTimer(at: now) }
    return trimDisk() + (stored > 0 ? beginFlush(at: now) : [])
  }

  mutating func stopped() -> [Action] {
    let count = waiting
    let cancel = inFlight.map { [Action.cancel(sequence: $0.batch.sequence)] } ?? []
    clear(to: .stopped)
    network = .online
    return cancel + (count > 0 ? [.drop(.reset, [], count: count)] : []) + [.clearDisk, .endFlush]
  }

  mutating func timePassed(at now: Duration, using generator: inout some RandomNumberGenerator) -> [Action] {
    var actions: [Action] = []
    if case .returning(let moment) = network, moment <= now { actions += returned(at: now) }
    if let flying = inFlight, flying.deadline <= now {
      let sequence = flying.batch.sequence
      actions.append(.cancel(sequence: sequence))
      actions += concluded(sequence, .unanswered, at: now, using: &generator)
    }
    if let due = retryAt, due <= now {
      retryAt = nil
      if !isFlushing { actions += beginFlush(at: now) }
    }
    if let due = keepAt, due <= now {
      keepAt = nil
      actions += storeEverything()
    }
    if let due = timerAt, due <= now {
      startTimer(at: now)
      // The disk may work again after a failed write.
      if !queue.parked.isEmpty, !refusesWrites(at: now) { actions += storeMemory() }
      actions += flush(at: now)
    }
    return actions
  }

  private mutating func startTimer(at now: Duration) {
    timerAt = now + configuration.flushInterval
  }

  mutating func networkLost(at now: Duration) -> [Action] {
    network = .offline
    retryAt = nil
    return []
  }

  mutating func networkFound(at now: Duration) -> [Action] {
    if network == .offline { network = .returning(at: now + configuration.onlineDebounce) }
    return []
  }

  /// The network is back, so earlier knowledge about the server is out of date.
  private mutating func returned(at now: Duration) -> [Action] {
    network = .online
    breaker.reset()
    failures = 0
    notBefore = nil
    askedUntil = nil
    retryAt = nil
    return phase == .running && !isFlushing ? beginFlush(at: now) : []
  }

  mutating func enteredBackground(at now: Duration) -> [Action] {
    guard isForeground else { return [] }
    isForeground = false
    timerAt = nil
    retryAt = nil
    notBefore = askedUntil
    // A flush in progress stores the remaining events at its end.
    return phase == .running && !isFlushing ? beginFlush(at: now) : []
  }

  mutating func enteredForeground(at now: Duration) -> [Action] {
    guard !isForeground else { return [] }
    isForeground = true
    notBefore = askedUntil
    guard phase == .running else { return [] }
    startTimer(at: now)
    return isFlushing ? [] : beginFlush(at: now)
  }

  /// Stores everything, including events in flight: their answer may come too late for this process.
  mutating func terminated() -> [Action] {
    phase == .running ? storeEverything() : []
  }
}
