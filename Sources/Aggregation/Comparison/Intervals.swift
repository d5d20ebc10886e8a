// Margins of error at 95 % confidence.
extension Moments {
  /// The margin of error of the population's mean, if the values are independent; `nil` without a value or without a known
  /// spread, infinite for one value, which says nothing about the spread.
  ///
  /// Student's distribution by the expansion of Cornish and Fisher; from six values on within 1 %.
  package var doubtOfMean: Double? {
    guard let deviation = standardDeviation else { return nil }
    guard count > 1 else { return .infinity }
    let freedom = Double(count - 1)
    let factor = 1.96 + 2.372 / freedom + 2.823 / (freedom * freedom) + 2.553 / (freedom * freedom * freedom)
    return factor * deviation / freedom.squareRoot()
  }
}

extension Quantile {
  /// The percentiles (0 to 100) of that many samples between which a percentile of the population lies: the number of
  /// samples below it has a binomial distribution.
  package static func reach(ofPercentile percentile: Double, count: Int) -> ClosedRange<Double> {
    let share = max(0, min(1, percentile / 100))
    let reach = 196 * (share * (1 - share) / Double(max(1, count))).squareRoot()
    return max(0, percentile - reach)...max(0, min(100, percentile + reach))
  }
}
