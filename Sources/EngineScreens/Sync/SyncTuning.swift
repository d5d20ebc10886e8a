import Codecs
import Resilience
import Sync

/// The tunable constants of a sync engine.
enum SyncTuning {
  static let threshold = EngineTuning<SyncConfiguration>(
    name: "breaker.threshold", alternatives: [1, 3, 5], range: 1...100,
    value: { Double($0.breaker.threshold) }, change: { $0.breaker = $0.breaker.with(threshold: Int($1)) })
  static let base = EngineTuning<SyncConfiguration>(
    name: "backoff.base", unit: "s", alternatives: [5, 30, 60], range: 0.1...86_400, isWhole: false,
    value: { $0.breaker.backoff.base / .seconds(1) },
    change: { $0.breaker = $0.breaker.with(base: .seconds($1)) })
  static let maximum = EngineTuning<SyncConfiguration>(
    name: "backoff.maximum", unit: "s", alternatives: [30, 60, 300], range: 0.1...86_400, isWhole: false,
    value: { $0.breaker.backoff.maximum / .seconds(1) },
    change: { $0.breaker = $0.breaker.with(maximum: .seconds($1)) })
  static let attempts = EngineTuning<SyncConfiguration>(
    name: "attempts", alternatives: [1, 5, 10], range: 1...100, value: { Double($0.attempts) },
    change: { $0.attempts = Int($1) })
  static let batchSize = EngineTuning<SyncConfiguration>(
    name: "batch", alternatives: [1, 10, 50], range: 1...1000, value: { Double($0.batchSize) },
    change: { $0.batchSize = Int($1) })

  static let all = [threshold, base, maximum, attempts, batchSize]

  /// All constants in a fixed order: those that a user can change come first.
  static func facts(_ configuration: SyncConfiguration) -> [EngineFact] {
    let backoff = configuration.breaker.backoff
    let wait = EngineFormatter.number(configuration.resyncWait / .seconds(1))
    return all.map { $0.fact(in: configuration) } + [
      EngineFact(name: "page", value: "\(configuration.changePage)"),
      EngineFact(name: "backoff.factor", value: EngineFormatter.number(backoff.factor)),
      EngineFact(name: "backoff.cap", value: EngineFormatter.number(backoff.cap)),
      EngineFact(name: "backoff.jitter", value: EngineFormatter.number(backoff.jitter)),
      EngineFact(name: "resync.wait", value: "\(wait) s"),
      EngineFact(name: "history", value: "\(configuration.historyRows)"),
    ]
  }
}

extension CircuitBreaker.Configuration {
  /// The configuration with another threshold, first wait or maximum wait.
  fileprivate func with(threshold: Int? = nil, base: Duration? = nil, maximum: Duration? = nil) -> Self {
    Self(
      threshold: threshold ?? self.threshold,
      backoff: Backoff(
        base: base ?? backoff.base, factor: backoff.factor, cap: backoff.cap,
        maximum: maximum ?? backoff.maximum, jitter: backoff.jitter),
      halfOpenSlots: halfOpenSlots, halfOpenWait: halfOpenWait, resetKeepsGrowth: resetKeepsGrowth,
      // One failure less than the threshold: a failing half-open probe trips again, whatever the threshold.
      failuresAfterTrip: (threshold ?? self.threshold) - 1)
  }
}
