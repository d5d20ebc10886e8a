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

extension Quantile {
  /// The percentiles (0 to 100) of this many samples between which a percentile of the population lies: the number of
  /// samples below it is binomially distributed.
  package static func reach(ofPercentile percentile: Double, count: Int) -> ClosedRange<Double> {
    let share = max(0, min(1, percentile / 100))
    let reach = 196 * (share * (1 - share) / Double(max(1, count))).squareRoot()
    return max(0, percentile - reach)...max(0, min(100, percentile + reach))
  }
}
