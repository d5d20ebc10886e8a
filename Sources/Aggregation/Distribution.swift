/// A summary of a set of numbers: moments, and percentiles from the numbers themselves or, if there are too many, from a histogram.
package struct Distribution: Sendable, Equatable {
  /// Exact count, mean, spread and extremes.
  package private(set) var moments = Moments()
  /// The values themselves, while memory allows; percentiles are then exact.
  private var kept = KeptValues()
  /// True if all values are kept.
  package private(set) var isExact = true
  /// Counts by magnitude, once the values are no longer kept.
  private var histogram = LogHistogram()
  /// True if all values are whole numbers; tracked only once they are no longer kept.
  private var isWhole = true

  package init() {}

  /// Records one finite value.
  @inline(__always)
  package mutating func record(_ value: Double) {
    moments.record(value)
    if isExact { kept.append(value) } else { count(value) }
  }

  @inline(never)
  private mutating func count(_ value: Double) {
    histogram.record(value)
    isWhole = isWhole && value == value.rounded(.towardZero)
  }

  /// Number of values kept individually.
  package var keptCount: Int { kept.count }

  /// Replaces the individual values by a histogram.
  package mutating func giveUpValues() {
    guard isExact else { return }
    isExact = false
    let values = kept
    kept = KeptValues()
    values.forEachBuffer { for value in $0 { count(value) } }
  }

  /// Maximum relative error of a percentile; 0 if percentiles are exact.
  package var percentileError: Double { isExact ? 0 : LogHistogram.relativeError }

  /// Merges everything that `other` has recorded.
  package mutating func merge(_ other: Distribution) {
    moments.merge(other.moments)
    guard other.isExact else {
      giveUpValues()
      histogram.merge(other.histogram)
      isWhole = isWhole && other.isWhole
      return
    }
    guard !isExact else { return kept.append(other.kept) }
    other.kept.forEachBuffer { for value in $0 { count(value) } }
  }

  /// Number of values recorded.
  package var count: Int { moments.count }

  /// The value at a percentile (0 to 100) by nearest rank; `nil` if there are no values.
  ///
  /// Exact while all values are kept, and always for the first and the last rank; never outside the range of the
  /// recorded values.
  package func value(atPercentile percentile: Double) -> Quantile? {
    values(atPercentiles: [percentile]).first
  }

  /// The values at several percentiles in ascending order; empty if there are no values.
  package func values(atPercentiles percentiles: [Double]) -> [Quantile] {
    if isExact {
      return Selection.nearestRanks(percentiles, of: kept).map { Quantile(exact: $0) }
    }
    let (least, most) = (moments.minimum, moments.maximum)
    return zip(percentiles, histogram.values(atPercentiles: percentiles)).map { percentile, quantile in
      let rank = Quantile.rank(ofPercentile: percentile, count: count)
      if rank == 1 { return Quantile(exact: least) }
      if rank == count { return Quantile(exact: most) }
      let clamp = { max(least, min(most, $0)) }
      let found = Quantile(
        value: clamp(quantile.value), lower: clamp(quantile.lower), upper: clamp(quantile.upper))
      return isWhole ? found.whole : found
    }
  }
}
