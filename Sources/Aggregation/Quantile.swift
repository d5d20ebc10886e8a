/// A percentile and its uncertainty: the best estimate and an interval that contains the true value.
package struct Quantile: Sendable, Equatable {
  /// The best estimate, in the values' unit.
  package let value: Double
  /// Lower bound of the true value.
  package let lower: Double
  /// Upper bound of the true value.
  package let upper: Double

  package init(value: Double, lower: Double, upper: Double) {
    self.value = value
    self.lower = lower
    self.upper = upper
  }

  /// A value known exactly.
  package init(exact value: Double) {
    self.init(value: value, lower: value, upper: value)
  }

  /// True if the true value may differ from the estimate by more than the digits in a table show.
  package var isWide: Bool { upper - lower > 0.02 * value.magnitude }

  /// True if the true value may differ from the estimate.
  package var isEstimate: Bool { lower < upper }

  /// True if the two true values may be equal and at least one is not known exactly.
  package func mayEqual(_ other: Quantile) -> Bool {
    (isEstimate || other.isEstimate) && lower <= other.upper && other.lower <= upper
  }

  /// The same quantile for whole-number values: the estimate is the nearest whole number within the bounds.
  package var whole: Quantile {
    let guess = max(lower.rounded(.up), min(upper.rounded(.down), value.rounded()))
    return guess >= lower && guess <= upper ? Quantile(value: guess, lower: lower, upper: upper) : self
  }

  /// The one-based nearest rank ⌈q·n⌉ of a percentile among `count` sorted values.
  ///
  /// - Parameter percentile: 0 to 100; values outside are clamped.
  package static func rank(ofPercentile percentile: Double, count: Int) -> Int {
    guard count > 0, percentile > 0 else { return count > 0 ? 1 : 0 }
    guard percentile < 100 else { return count }
    // Multiply before dividing: 0.95 has no exact double, 95 has.
    let rank = (percentile * Double(count) / 100).rounded(.up)
    return max(1, min(count, Int(rank)))
  }
}

extension LogHistogram {
  /// The value at a percentile (0 to 100) by nearest rank; `nil` if there are no values.
  ///
  /// The estimate is the middle of the bin that holds the rank, so it is off by at most 0.79 %.
  package func value(atPercentile percentile: Double) -> Quantile? {
    values(atPercentiles: [percentile]).first
  }

  /// The values at several percentiles in ascending order, in one pass over the bins; empty if there are no values.
  package func values(atPercentiles percentiles: [Double]) -> [Quantile] {
    let bins = self.bins
    guard let last = bins.last else { return [] }
    var found: [Quantile] = []
    var below = 0
    for bin in bins {
      // A bin stops counting at 2³²-1; the last one then covers the remaining ranks.
      below = bin == last ? count : below + bin.count
      while found.count < percentiles.count,
        Quantile.rank(ofPercentile: percentiles[found.count], count: count) <= below
      {
        found.append(Quantile(value: bin.middle, lower: bin.lower, upper: bin.upper))
      }
    }
    return found
  }
}
