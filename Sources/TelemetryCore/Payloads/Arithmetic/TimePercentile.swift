package import Aggregation

/// A percentile of a histogram: a number with the bin it lies in, or a range if there are too few samples.
public struct TimePercentile: Hashable, Sendable {
  /// The percentile, from 0 to 100.
  public let percentile: Double
  /// The best estimate in milliseconds; `nil` if there are too few samples.
  ///
  /// Samples are assumed to be spread evenly over their bin.
  public let value: Double?
  /// Lower bound, in milliseconds.
  public let lower: Double
  /// Upper bound, in milliseconds.
  public let upper: Double
  /// Number of samples it is based on; saturates at `Int.max`.
  public let count: Int

  /// Number of samples required to give a percentile as a number.
  ///
  /// At least five, and enough that one of them is expected beyond the percentile:
  ///
  /// | percentile | 25, 50, 75 | 90 | 95 | 99 | 99.9 |
  /// |---|---|---|---|---|---|
  /// | samples | 5 | 10 | 20 | 100 | 1,000 |
  ///
  /// The minimum and the maximum (0 and 100) are not estimates; one sample is enough for them.
  public static func samplesNeeded(forPercentile percentile: Double) -> Int {
    let far = min(percentile, 100 - percentile)
    guard far > 0 else { return 1 }
    // Allows for rounding errors: 100 - 99.9 is not quite 0.1.
    return max(5, Int(min(1e15, 100 / far * (1 - 1e-12)).rounded(.up)))
  }
}

extension TimeHistogram {
  /// The value at a percentile from 0 to 100; `nil` without samples.
  ///
  /// Finds the bin of the rank r = q·n and interpolates between its edges. The bounds are those of the sample with
  /// that rank: its bin, or more where bins overlap. Below ``TimePercentile/samplesNeeded(forPercentile:)`` samples
  /// there is no number but a range, which contains the percentile of the underlying distribution 19 times out of 20,
  /// as far as the samples reach.
  public func value(atPercentile percentile: Double) -> TimePercentile? {
    values(atPercentiles: [percentile]).first
  }

  /// The values at several percentiles; empty without samples.
  public func values(atPercentiles percentiles: [Double]) -> [TimePercentile] {
    TimePercentile.values(of: intervals, atPercentiles: percentiles)
  }
}

extension TimePercentile {
  /// The same for bins in any unit, ordered by their lower bounds.
  package static func values(of bins: [HistogramBin], atPercentiles percentiles: [Double]) -> [TimePercentile]
  {
    let ranks = HistogramRanks(bins)
    let count = bins.reduce(0) { $0.addingSaturated($1.count) }
    guard count > 0 else { return [] }
    return percentiles.filter { !$0.isNaN }.map { given in
      let percentile = max(0, min(100, given))
      guard count >= TimePercentile.samplesNeeded(forPercentile: percentile) else {
        let range = ranks.likelyRange(ofPercentile: percentile)
        return TimePercentile(
          percentile: percentile, value: nil, lower: range.lowerBound, upper: range.upperBound, count: count)
      }
      let found = ranks.quantile(ofPercentile: percentile)
      return TimePercentile(
        percentile: percentile, value: found.value, lower: found.lower, upper: found.upper, count: count)
    }
  }
}
