package import Aggregation
package import Platform

/// One series in one time slot: enough to answer queries without its samples.
///
/// Merging two cells gives the same result as recording the samples of both: counts and extremes exactly, the sum to a
/// few units in the last place, percentiles within the bins of the histogram.
package struct IndexCell: Sendable, Equatable {
  /// Maximum number of histogram bins.
  package static let bins = 48

  /// Occurrences of a text, by its number in the series' `TextTable`.
  package struct TextCount: Sendable, Equatable {
    package var number: Int
    package var count: Int
  }

  /// Earliest and latest time of a sample; the distant future and the distant past if there is none.
  package var firstTime = Timestamp.distantFuture
  package var lastTime = Timestamp.distantPast
  /// Number of numbers, their sum, minimum and maximum.
  package var numbers = 0
  package var sum = CompensatedSum()
  package var minimum = Double.infinity
  package var maximum = -Double.infinity
  package var sketch = SketchHistogram()
  package var nulls = 0
  package var trues = 0
  package var falses = 0
  /// Sorted by number.
  package var texts: [TextCount] = []

  package init() {}

  /// Number of samples of any kind.
  package var count: Int { numbers &+ nulls &+ trues &+ falses &+ texts.reduce(0) { $0 &+ $1.count } }

  @inline(__always)
  mutating func record(number value: Double, at time: Timestamp, withHistogram: Bool = true) {
    note(time)
    numbers &+= 1
    sum.add(value)
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    if withHistogram { sketch.record(value, limit: Self.bins) }
  }

  @inline(__always)
  mutating func note(_ time: Timestamp) {
    if time < firstTime { firstTime = time }
    if time > lastTime { lastTime = time }
  }

  package mutating func record(text number: Int, count: Int = 1) {
    let place = texts.firstIndex { $0.number >= number } ?? texts.count
    if place < texts.count, texts[place].number == number {
      texts[place].count &+= count
    } else {
      texts.insert(TextCount(number: number, count: count), at: place)
    }
  }

  /// Merges everything in `other`; `renumbered` maps its text numbers to ours.
  package mutating func merge(_ other: IndexCell, renumbered: (Int) -> Int = { $0 }) {
    firstTime = min(firstTime, other.firstTime)
    lastTime = max(lastTime, other.lastTime)
    if other.numbers > 0 {
      numbers &+= other.numbers
      sum.merge(other.sum)
      minimum = min(minimum, other.minimum)
      maximum = max(maximum, other.maximum)
      sketch.merge(other.sketch, limit: Self.bins)
    }
    nulls &+= other.nulls
    trues &+= other.trues
    falses &+= other.falses
    for text in other.texts { record(text: renumbered(text.number), count: text.count) }
  }

  /// The mean of the numbers, never outside their range; `nil` if there are none.
  package var mean: Double? {
    sum.mean(count: numbers).map { max(minimum, min(maximum, $0)) }
  }

  /// The percentiles (0 to 100, ascending) of the numbers with their bounds; empty if there are none.
  ///
  /// - Parameter series: the series of the numbers; if its type is a whole-number type, each estimate is a whole number.
  package func quantiles(_ percentiles: [Double], of series: SeriesIdentity? = nil) -> [Quantile] {
    guard numbers > 0 else { return [] }
    return RankBounds(sketch.intervals).quantiles(percentiles).map { quantile in
      let clamp = { max(minimum, min(maximum, $0)) }
      let clamped = Quantile(
        value: clamp(quantile.value), lower: clamp(quantile.lower), upper: clamp(quantile.upper))
      return series?.isWhole == true ? clamped.whole : clamped
    }
  }
}
