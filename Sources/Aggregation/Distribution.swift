/// A summary of a set of numbers: moments, and percentiles from the numbers themselves or, where they are too many,
/// from a histogram.
package struct Distribution: Sendable, Equatable {
  /// Count, mean, spread and extremes, exact.
  package private(set) var moments = Moments()
  /// The values themselves, as long as there is memory for them: percentiles are exact then.
  private var kept = KeptValues()
  /// True if all values are kept.
  package private(set) var isExact = true
  /// The counts by size once they are not.
  private var histogram = LogHistogram()
  /// True if all are whole numbers, once they are not kept.
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

  /// How many values are kept one by one.
  package var keptCount: Int { kept.count }

  /// Keeps no values any longer, but how many there are of which size.
  package mutating func giveUpValues() {
    guard isExact else { return }
    isExact = false
    let values = kept
    kept = KeptValues()
    values.forEachBuffer { for value in $0 { count(value) } }
  }

  /// How far off a percentile may be, as a part of its value; 0 where it is exact.
  package var percentileError: Double { isExact ? 0 : LogHistogram.relativeError }

  /// Takes in all that `other` has recorded.
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

  /// How many values were recorded.
  package var count: Int { moments.count }

  /// The value at a percentile (0 to 100) by nearest rank, `nil` without a value.
  ///
  /// Exact as long as all values are kept, and for the first and the last rank; never outside the range of what was
  /// recorded.
  package func value(atPercentile percentile: Double) -> Quantile? {
    values(atPercentiles: [percentile]).first
  }

  /// The values at several percentiles given in ascending order; empty without a value.
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
