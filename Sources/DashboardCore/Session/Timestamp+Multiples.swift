package import Platform

// Steps that stand still on the clock: multiples of a number of seconds.
extension Timestamp {
  /// The nearest multiple of a step by a rule.
  package func rounded(_ rule: FloatingPointRoundingRule, toMultipleOf step: Double) -> Timestamp {
    Timestamp((seconds / step).rounded(rule) * step)
  }

  /// The first multiple of a step after this moment.
  package func nextMultiple(of step: Double) -> Timestamp {
    Timestamp(((seconds / step).rounded(.down) + 1) * step)
  }
}
