package import Platform

// Steps fixed on the clock: multiples of a number of seconds.
extension Timestamp {
  /// The multiple of a step that a rounding rule yields.
  package func rounded(_ rule: FloatingPointRoundingRule, toMultipleOf step: Double) -> Timestamp {
    Timestamp((seconds / step).rounded(rule) * step)
  }

  /// The first multiple of a step after this moment.
  package func nextMultiple(of step: Double) -> Timestamp {
    Timestamp(((seconds / step).rounded(.down) + 1) * step)
  }
}
