import Resilience

extension DeliveryMachine {
  mutating func flush(at now: Duration) -> [Action] {
    guard phase == .running else { return [.endFlush] }
    if isFlushing { return [] }
    // A scheduled retry blocks every other attempt.
    return retryAt == nil ? beginFlush(at: now) : [.endFlush]
  }

  /// Sends batch after batch until nothing is left or an obstacle occurs.
  mutating func beginFlush(at now: Duration) -> [Action] {
    skipsDisk = false
    queuedSinceFlush = 0
    return sendNext(at: now)
  }

  /// Sends the next batch of a flush, or ends it.
  mutating func sendNext(at now: Duration) -> [Action] {
    guard storing == 0 else {
      step = .storing
      return []
    }
    if owedRemovals > 0, !skipsDisk {
      step = .removal
      return removeOwed()
    }
    let usesDisk = stored > 0 && !skipsDisk
    guard network == .online, !queue.isEmpty || usesDisk else { return endFlush() }
    let waitEnd = max(notBefore ?? now, now + breaker.remaining(at: now))
    guard waitEnd <= now else {
      arm(waitEnd)
      return endFlush()
    }
    let events = queue.take(memoryBatchSize, disk: usesDisk)
    guard events.isEmpty else { return balance() + send(events, from: .memory, at: now) }
    step = .reading
    return [.read(limit: diskBatchSize)]
  }

  /// Posts a batch; the breaker has already permitted it.
  mutating func send(
    _ events: [QueuedEvent], from source: Source, stored: Int = 0, expired: Int = 0, at now: Duration
  ) -> [Action] {
    // Always free: there is one batch at a time, and the breaker is not open.
    _ = breaker.permit(at: now)
    step = .outcome
    lastSequence += 1
    let batch = Batch(
      sequence: lastSequence, source: source, events: events, attempt: failures + 1,
      maxBatchSize: source == .memory ? memoryBatchSize : diskBatchSize)
    inFlight = InFlight(
      batch: batch, source: source, stored: stored, expired: expired,
      deadline: now + configuration.timeout + .seconds(1))
    return [.send(batch)]
  }

  /// Ends a flush; the remaining events are moved to disk if no retry will follow.
  mutating func endFlush() -> [Action] {
    step = .none
    skipsDisk = false
    return (isForeground && network == .online ? [] : storeMemory()) + [.endFlush]
  }

  /// Schedules the retry; not in the background or offline.
  mutating func arm(_ moment: Duration) {
    if isForeground, network == .online { retryAt = moment }
  }
}
