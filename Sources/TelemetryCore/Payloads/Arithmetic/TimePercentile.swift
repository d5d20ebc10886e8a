package import Aggregation

/// A percentile of a histogram: a number with the bin that it lies in, or a range where the samples are too few.
public struct TimePercentile: Hashable, Sendable {
  /// Which, from 0 to 100.
  public let percentile: Double
  /// The best guess, in milliseconds, `nil` for too few samples.
  ///
  /// Samples are taken as spread evenly over their bin.
  public let value: Double?
  /// Not less than this, in milliseconds.
  public let lower: Double
  /// Not more than this, in milliseconds.
  public let upper: Double
  /// How many samples it is of; `Int.max` for more than that.
  public let count: Int

  /// How many samples a percentile needs, to be given as a number.
  ///
  /// At least five, and enough that one of them is expected beyond the percentile:
  ///
  /// | percentile | 25, 50, 75 | 90 | 95 | 99 | 99.9 |
  /// |---|---|---|---|---|---|
  /// | samples | 5 | 10 | 20 | 100 | 1,000 |
  ///
  /// The smallest and the largest (0 and 100) are no estimates; one sample is enough for them.
  public static func samplesNeeded(forPercentile percentile: Double) -> Int {
    let far = min(percentile, 100 - percentile)
    guard far > 0 else { return 1 }
    // Rounded first, since 100 - 99.9 is not quite 0.1.
    return max(5, Int(min(1e15, 100 / far * (1 - 1e-12)).rounded(.up)))
  }
}

extension TimeHistogram {
  /// The value at a percentile from 0 to 100, `nil` without a sample.
  ///
  /// The rank r = q·n is looked for in the bins; between the edges of its bin the value is interpolated. The bounds are
  /// those of the sample of that rank: its bin, or more where bins overlap. For less than
  /// ``TimePercentile/samplesNeeded(forPercentile:)`` there is no number but a range, in which the percentile of what
  /// the samples were drawn from lies 19 times of 20, as far as the samples reach.
  public func value(atPercentile percentile: Double) -> TimePercentile? {
    values(atPercentiles: [percentile]).first
  }

  /// The values at several percentiles; empty without a sample.
  public func values(atPercentiles percentiles: [Double]) -> [TimePercentile] {
    TimePercentile.values(of: intervals, atPercentiles: percentiles)
  }
}

extension TimePercentile {
  /// The same of bins in whatever unit, by their lower bounds.
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
