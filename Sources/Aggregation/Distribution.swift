/// All that is known of a set of numbers without keeping them: moments and a histogram.
package struct Distribution: Sendable, Equatable {
  /// Count, mean, spread and extremes, exact.
  package private(set) var moments = Moments()
  /// The counts by size, for percentiles; empty while the values themselves are kept.
  private var histogram = LogHistogram()

  /// The values themselves while they are few, so that their percentiles are exact and a metric of a few samples needs
  /// little memory.
  private var few: [Double] = []
  private static let fewLimit = 64

  package init() {}

  /// Records one finite value.
  package mutating func record(_ value: Double) {
    if moments.count > Self.fewLimit {
      histogram.record(value)
    } else {
      keep([value])
    }
    moments.record(value)
  }

  /// Takes in the first values, or those that make them too many; `moments` must not have them yet.
  @inline(never)
  private mutating func keep(_ values: [Double]) {
    guard few.count == moments.count, few.count + values.count <= Self.fewLimit else {
      pour()
      for value in values { histogram.record(value) }
      return
    }
    few += values
  }

  /// Counts the values that were kept.
  private mutating func pour() {
    for value in few { histogram.record(value) }
    few = []
  }

  /// Takes in all that `other` has recorded.
  package mutating func merge(_ other: Distribution) {
    if other.few.count == other.count {
      keep(other.few)
    } else {
      pour()
      histogram.merge(other.histogram)
    }
    moments.merge(other.moments)
  }

  /// How many values were recorded.
  package var count: Int { moments.count }

  /// The value at a percentile (0 to 100) by nearest rank, `nil` without a value.
  ///
  /// Exact for up to 64 values and for the first and the last rank; never outside the range of what was recorded.
  package func value(atPercentile percentile: Double) -> Quantile? {
    values(atPercentiles: [percentile]).first
  }

  /// The values at several percentiles given in ascending order; empty without a value.
  package func values(atPercentiles percentiles: [Double]) -> [Quantile] {
    guard few.count != count else {
      let sorted = few.sorted()
      return percentiles.compactMap {
        let rank = Quantile.rank(ofPercentile: $0, count: sorted.count)
        return rank > 0 ? Quantile(exact: sorted[rank - 1]) : nil
      }
    }
    let (least, most) = (moments.minimum, moments.maximum)
    return zip(percentiles, histogram.values(atPercentiles: percentiles)).map { percentile, quantile in
      let rank = Quantile.rank(ofPercentile: percentile, count: count)
      if rank == 1 { return Quantile(exact: least) }
      if rank == count { return Quantile(exact: most) }
      let clamp = { max(least, min(most, $0)) }
      return Quantile(
        value: clamp(quantile.value), lower: clamp(quantile.lower), upper: clamp(quantile.upper))
    }
  }
}
