import Resilience

/// Lengths of time at and near the ends of what a `Duration` can express.
enum Extremes {
  /// The largest `Duration` is a little more than this.
  static let longest = Duration.seconds(Int64.max) * 18
  static let durations: [Duration] = [
    longest, .seconds(Int64.max), .seconds(Int64.max / 4), .seconds(1), .zero,
    .seconds(-1), .seconds(Int64.min / 4), .seconds(Int64.min), .zero - longest,
  ]
}

extension CircuitBreaker.Configuration {
  /// The parameters of the delivery of events, with waits that a table can name.
  static func exact(threshold: Int = 3, slots: Int = 1, resetKeepsGrowth: Bool = false) -> Self {
    Self(
      threshold: threshold, backoff: Backoff(base: .seconds(10), maximum: .seconds(120)),
      halfOpenSlots: slots, resetKeepsGrowth: resetKeepsGrowth)
  }
}
