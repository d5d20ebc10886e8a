import Codecs
import Resilience
import Sync

/// A constant of an engine that another branch may have differently.
enum SyncTuning: CaseIterable {
  case threshold, base, maximum, attempts, batchSize

  /// The constant's name where branches are told apart.
  var name: String {
    switch self {
    case .threshold: "breaker.threshold"
    case .base: "backoff.base"
    case .maximum: "backoff.maximum"
    case .attempts: "attempts"
    case .batchSize: "batch"
    }
  }

  /// Values that are offered.
  var alternatives: [Double] {
    switch self {
    case .threshold: [1, 3, 5]
    case .base: [5, 30, 60]
    case .maximum: [30, 60, 300]
    case .attempts: [1, 5, 10]
    case .batchSize: [1, 10, 50]
    }
  }

  /// True if a value makes sense: in its range, and whole where things are counted.
  func accepts(_ value: Double) -> Bool {
    range.contains(value) && (self == .base || self == .maximum || value == value.rounded())
  }

  private var range: ClosedRange<Double> {
    switch self {
    case .threshold, .attempts: 1...100
    case .base, .maximum: 0.1...86_400
    case .batchSize: 1...1000
    }
  }

  func value(in configuration: SyncConfiguration) -> Double {
    let backoff = configuration.breaker.backoff
    return switch self {
    case .threshold: Double(configuration.breaker.threshold)
    case .base: backoff.base / .seconds(1)
    case .maximum: backoff.maximum / .seconds(1)
    case .attempts: Double(configuration.attempts)
    case .batchSize: Double(configuration.batchSize)
    }
  }

  /// The constants with another value of this one; it must be one that it ``accepts(_:)``.
  func setting(_ value: Double, in configuration: SyncConfiguration) -> SyncConfiguration {
    var new = configuration
    switch self {
    case .threshold: new.breaker = configuration.breaker.with(threshold: Int(value))
    case .base: new.breaker = configuration.breaker.with(base: .seconds(value))
    case .maximum: new.breaker = configuration.breaker.with(maximum: .seconds(value))
    case .attempts: new.attempts = Int(value)
    case .batchSize: new.batchSize = Int(value)
    }
    return new
  }

  /// A value with its unit.
  func text(_ value: Double) -> String {
    switch self {
    case .threshold, .attempts, .batchSize: Self.number(value)
    case .base, .maximum: "\(Self.number(value)) s"
    }
  }

  /// A number with as many decimals as it needs, up to three.
  static func number(_ value: Double) -> String {
    let decimals = zip(0..., [1.0, 10, 100]).first { (value * $1).rounded() == value * $1 }?.0 ?? 3
    return NumberFormat.text(value, decimals: decimals)
  }
}

extension CircuitBreaker.Configuration {
  /// The same with another threshold, first or longest wait.
  fileprivate func with(threshold: Int? = nil, base: Duration? = nil, maximum: Duration? = nil) -> Self {
    Self(
      threshold: threshold ?? self.threshold,
      backoff: Backoff(
        base: base ?? backoff.base, factor: backoff.factor, cap: backoff.cap,
        maximum: maximum ?? backoff.maximum, jitter: backoff.jitter),
      halfOpenSlots: halfOpenSlots, halfOpenWait: halfOpenWait, resetKeepsGrowth: resetKeepsGrowth,
      // One failure less than the threshold: a half-open probe that fails trips again, whatever the threshold.
      failuresAfterTrip: (threshold ?? self.threshold) - 1)
  }
}
