import Resilience

extension SyncConfiguration: Encodable {
  private enum CodingKeys: String, CodingKey {
    case batchSize, changePage, attempts, breakerThreshold, baseBackoffSeconds, backoffFactor, backoffCap
    case maximumBackoffSeconds, jitter, resyncWaitSeconds, historyRows
  }

  /// Encodes the constants under names that carry their units.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot express.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(batchSize, forKey: .batchSize)
    try container.encode(changePage, forKey: .changePage)
    try container.encode(attempts, forKey: .attempts)
    try container.encode(breaker.threshold, forKey: .breakerThreshold)
    try container.encode(breaker.backoff.base / .seconds(1), forKey: .baseBackoffSeconds)
    try container.encode(breaker.backoff.factor, forKey: .backoffFactor)
    try container.encode(min(breaker.backoff.cap, Double(Int32.max)), forKey: .backoffCap)
    try container.encode(breaker.backoff.maximum / .seconds(1), forKey: .maximumBackoffSeconds)
    try container.encode(breaker.backoff.jitter, forKey: .jitter)
    try container.encode(resyncWait / .seconds(1), forKey: .resyncWaitSeconds)
    try container.encode(historyRows, forKey: .historyRows)
  }
}

extension SyncConfiguration: Decodable {
  /// Decodes constants; what is absent has its default.
  ///
  /// - Throws: `DecodingError`, also for a number that makes no sense.
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
    attempts = try whole(.attempts, attempts)
    historyRows = try whole(.historyRows, historyRows)
    resyncWait = .seconds(try number(.resyncWaitSeconds, resyncWait / .seconds(1), in: 0...86_400))
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
