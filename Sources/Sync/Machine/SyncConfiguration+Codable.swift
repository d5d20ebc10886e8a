import Resilience

extension SyncConfiguration: Encodable {
  private enum CodingKeys: String, CodingKey {
    case batchSize, changePage, maxPages, attempts, breakerThreshold, baseBackoffSeconds, backoffFactor,
      backoffCap
    case maximumBackoffSeconds, jitter, resyncWaitSeconds, historyRows
    case queueDelaySeconds, callDeadlineSeconds, runDeadlineSeconds, retrySeconds, longestRetrySeconds
    case attemptDelaySeconds, longestAttemptDelaySeconds
  }

  /// Encodes the constants; key names include units.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot express.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(batchSize, forKey: .batchSize)
    try container.encode(changePage, forKey: .changePage)
    try container.encode(maxPages, forKey: .maxPages)
    try container.encode(attempts, forKey: .attempts)
    try container.encode(breaker.threshold, forKey: .breakerThreshold)
    try container.encode(breaker.backoff.base / .seconds(1), forKey: .baseBackoffSeconds)
    try container.encode(breaker.backoff.factor, forKey: .backoffFactor)
    try container.encode(min(breaker.backoff.cap, Double(Int32.max)), forKey: .backoffCap)
    try container.encode(breaker.backoff.maximum / .seconds(1), forKey: .maximumBackoffSeconds)
    try container.encode(breaker.backoff.jitter, forKey: .jitter)
    try container.encode(resyncWait / .seconds(1), forKey: .resyncWaitSeconds)
    try container.encode(historyRows, forKey: .historyRows)
    try container.encode((queueDelay ?? .zero) / .seconds(1), forKey: .queueDelaySeconds)
    try container.encode(callDeadline / .seconds(1), forKey: .callDeadlineSeconds)
    try container.encode(runDeadline / .seconds(1), forKey: .runDeadlineSeconds)
    try container.encode(retry.base / .seconds(1), forKey: .retrySeconds)
    try container.encode(retry.maximum / .seconds(1), forKey: .longestRetrySeconds)
    try container.encode(attemptDelay.base / .seconds(1), forKey: .attemptDelaySeconds)
    try container.encode(attemptDelay.maximum / .seconds(1), forKey: .longestAttemptDelaySeconds)
  }
}

extension SyncConfiguration: Decodable {
  /// Decodes the constants; missing ones keep their defaults.
  ///
  /// - Throws: `DecodingError`, also for an invalid number.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func whole(_ key: CodingKeys, _ standard: Int) throws -> Int {
      try checked(container.decodeIfPresent(Int.self, forKey: key) ?? standard, in: 1...1_000_000, key)
    }
    func number(_ key: CodingKeys, _ standard: Double, in range: ClosedRange<Double>) throws -> Double {
      try checked(container.decodeIfPresent(Double.self, forKey: key) ?? standard, in: range, key)
    }
    func checked<Number: Comparable>(_ value: Number, in range: ClosedRange<Number>, _ key: CodingKeys) throws
      -> Number
    {
      guard range.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(value) is not between \(range.lowerBound) and \(range.upperBound)")
      }
      return value
    }
    batchSize = try whole(.batchSize, batchSize)
    changePage = try whole(.changePage, changePage)
    maxPages = try whole(.maxPages, maxPages)
    attempts = try whole(.attempts, attempts)
    historyRows = try whole(.historyRows, historyRows)
    func seconds(_ key: CodingKeys, _ standard: Duration, from low: Double = 0.001) throws -> Duration {
      .seconds(try number(key, standard / .seconds(1), in: low...86_400))
    }
    resyncWait = try seconds(.resyncWaitSeconds, resyncWait, from: 0)
    let delay = try seconds(.queueDelaySeconds, queueDelay ?? .zero, from: 0)
    queueDelay = delay > .zero ? delay : nil
    callDeadline = try seconds(.callDeadlineSeconds, callDeadline)
    runDeadline = try seconds(.runDeadlineSeconds, runDeadline)
    retry = Backoff(
      base: try seconds(.retrySeconds, retry.base), cap: 86_400,
      maximum: try seconds(.longestRetrySeconds, retry.maximum), jitter: retry.jitter)
    attemptDelay = Backoff(
      base: try seconds(.attemptDelaySeconds, attemptDelay.base, from: 0), cap: 86_400,
      maximum: try seconds(.longestAttemptDelaySeconds, attemptDelay.maximum, from: 0))
    let backoff = Backoff(
      base: .seconds(try number(.baseBackoffSeconds, breaker.backoff.base / .seconds(1), in: 0.001...86_400)),
      factor: try number(.backoffFactor, breaker.backoff.factor, in: 1...100),
      cap: try number(.backoffCap, breaker.backoff.cap, in: 1...Double(Int32.max)),
      maximum: .seconds(
        try number(.maximumBackoffSeconds, breaker.backoff.maximum / .seconds(1), in: 0.001...86_400)),
      jitter: try number(.jitter, breaker.backoff.jitter, in: 0...1))
    let threshold = try whole(.breakerThreshold, breaker.threshold)
    breaker = CircuitBreaker.Configuration(
      threshold: threshold, backoff: backoff, halfOpenSlots: breaker.halfOpenSlots,
      resetKeepsGrowth: breaker.resetKeepsGrowth, failuresAfterTrip: threshold - 1)
  }
}
