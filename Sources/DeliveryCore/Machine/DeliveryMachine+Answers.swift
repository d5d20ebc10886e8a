import Resilience

extension DeliveryMachine {
  mutating func concluded(
    _ sequence: Int, _ outcome: Outcome, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    // An outcome from before a reset, or from an abandoned transport.
    guard let flying = inFlight, flying.batch.sequence == sequence else { return [] }
    inFlight = nil
    switch outcome {
    case .notEncodable:
      breaker.releaseProbe()
      return giveUp(flying, .notEncodable) + sendNext(at: now)
    case .unanswered:
      return failed(flying, .unanswered, retryAfter: nil, at: now, using: &generator)
    case .answered(let status, let retryAfter):
      let rule = AnswerRule(status: status, size: flying.batch.events.count)
      switch rule {
      case .delivered: return delivered(flying) + sendNext(at: now)
      case .retry, .rateLimited, .unanswered:
        return failed(flying, rule, retryAfter: retryAfter, at: now, using: &generator)
      case .halve:
        reachedServer()
        setBatchSize(max(1, flying.batch.events.count / 2), flying.source)
        return keep(flying) + sendNext(at: now)
      case .drop:
        reachedServer()
        if status != 413 { pauseAfterRefusal(at: now, using: &generator) }
        return giveUp(flying, status == 413 ? .tooLarge : .refused) + sendNext(at: now)
      case .disable: return disable(flying, status: status)
      }
    }
  }

  private mutating func delivered(_ flying: InFlight) -> [Action] {
    breaker.recordSuccess()
    forgetFailures()
    refusals = 0
    let initial = max(1, configuration.batchSize)
    let size = flying.source == .memory ? memoryBatchSize : diskBatchSize
    setBatchSize(size >= initial - size ? initial : size * 2, flying.source)
    return [.delivered(count: flying.batch.events.count)] + leave(flying)
  }

  /// Counts a retryable failure, and schedules the retry.
  private mutating func failed(
    _ flying: InFlight, _ rule: AnswerRule, retryAfter: Duration?, at now: Duration,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    if failures < Int.max { failures += 1 }
    _ = breaker.recordFailure(at: now, using: &generator)
    let floor = configuration.retryFloor.wait(
      multiplier: configuration.retryFloor.multiplier(ofWait: failures), using: &generator)
    let asked = min(retryAfter ?? .zero, configuration.longestRetryAfter)
    let wait = max(floor, rule.leastWait, asked, breaker.remaining(at: now))
    notBefore = now + wait
    askedUntil = asked > .zero ? now + asked : nil
    arm(now + wait)
    return keep(flying) + endFlush()
  }

  /// Schedules a pause if the server refuses one event after the other: it would be asked for each of thousands.
  private mutating func pauseAfterRefusal(
    at now: Duration, using generator: inout some RandomNumberGenerator
  ) {
    refusals = min(refusals, Int.max - 1) + 1
    guard refusals.isMultiple(of: Self.refusalsInARow) else { return }
    notBefore =
      now
      + configuration.retryFloor.wait(
        multiplier: configuration.retryFloor.multiplier(ofWait: refusals / Self.refusalsInARow),
        using: &generator)
  }

  /// Refused batches after which the next one waits.
  private static let refusalsInARow = 8

  /// The server is reachable, although it did not accept this batch.
  private mutating func reachedServer() {
    breaker.recordOtherAnswer()
    forgetFailures()
  }

  private mutating func forgetFailures() {
    failures = 0
    notBefore = nil
    askedUntil = nil
  }

  private mutating func setBatchSize(_ size: Int, _ source: Source) {
    switch source {
    case .memory: memoryBatchSize = size
    case .disk: diskBatchSize = size
    }
  }

  /// Returns the batch to where it came from.
  private mutating func keep(_ flying: InFlight) -> [Action] {
    switch flying.source {
    case .memory: return putBack(flying.batch.events)
    case .disk: return flying.lost > 0 ? [.drop(.diskFull, [], count: flying.lost)] : []
    }
  }

  /// Drops the batch.
  private mutating func giveUp(_ flying: InFlight, _ cause: DropCause) -> [Action] {
    let ids = flying.batch.events.map(\.messageID)
    return [.drop(cause, ids, count: ids.count)] + leave(flying)
  }

  /// Removes a batch's events from the disk.
  private mutating func leave(_ flying: InFlight) -> [Action] {
    owedRemovals += flying.stored
    return flying.expired > 0 ? [.drop(.expired, [], count: flying.expired)] : []
  }

  private mutating func disable(_ flying: InFlight, status: Int) -> [Action] {
    inFlight = flying
    let count = waiting
    clear(to: .disabled)
    return [.drop(.disabled, [], count: count), .clearDisk, .disable(status: status), .endFlush]
  }

  /// Resets everything but the constants.
  mutating func clear(to phase: Phase) {
    let sequence = lastSequence
    let isForeground = isForeground
    let network = network
    self = DeliveryMachine(configuration)
    self.phase = phase
    lastSequence = sequence
    self.isForeground = isForeground
    self.network = network
  }
}
