// Margins of error at 95 % confidence.
extension Moments {
  /// Margin of error of the population's mean for independent values; `nil` without values or a known spread, and
  /// infinite for a single value, which says nothing about the spread.
  ///
  /// Student's distribution by the Cornish-Fisher expansion; within 1 % from six values on.
  package var doubtOfMean: Double? {
    guard let deviation = standardDeviation else { return nil }
    guard count > 1 else { return .infinity }
    let freedom = Double(count - 1)
    let factor = 1.96 + 2.372 / freedom + 2.823 / (freedom * freedom) + 2.553 / (freedom * freedom * freedom)
    return factor * deviation / freedom.squareRoot()
  }
}

/// The range of a count at 95 % confidence, for events that occur independently of each other.
///
/// Byar's approximation of the exact limits of a Poisson count, within 2 % of them from one event on.
///
/// | count | lower | upper |
/// |---|---|---|
/// | 0 | 0 | 3.7 |
/// | 1 | 0.01 | 5.6 |
/// | 10 | 4.8 | 18.4 |
/// | 100 | 81.4 | 121.6 |
package struct CountBounds: Hashable, Sendable {
  package let lower: Double
  package let upper: Double

  /// - Parameters:
  ///   - count: the number of events.
  ///   - independent: the number of independent ones among them, such as the number of users that reported them.
  package init(_ count: Double, independent: Double? = nil) {
    let known = max(0, min(count, independent ?? count))
    let scale = known > 0 ? count / known : 1
    let limit = { (events: Double, sign: Double) in
      let root = 1 - 1 / (9 * events) + sign * 1.96 / (3 * events.squareRoot())
      return events * root * root * root
    }
    lower = known > 0 ? max(0, limit(known, -1)) * scale : 0
    upper = limit(known + 1, 1) * scale
  }
}

extension Quantile {
  /// The percentiles (0 to 100) of this many samples between which a percentile of the population lies: the number of
  /// samples below it is binomially distributed.
  package static func reach(ofPercentile percentile: Double, count: Int) -> ClosedRange<Double> {
    let share = max(0, min(1, percentile / 100))
    let reach = 196 * (share * (1 - share) / Double(max(1, count))).squareRoot()
    return max(0, percentile - reach)...max(0, min(100, percentile + reach))
  }
}
