/// A histogram of any doubles with bins of constant relative width: 64 to an octave.
///
/// A bin is named by the top bits of the double's own pattern, so finding it costs two shifts; values below 2.2e-308,
/// whose pattern has no octave, are enlarged for it. The middle of a bin is at most 0.79 % from any value in it. Only
/// octaves that hold a value take memory (256 bytes each). Merging adds the counts and is exact.
package struct LogHistogram: Sendable, Equatable {
  /// How many bins make an octave.
  package static let binsPerOctave = 64
  /// How far the middle of a bin is at most from any value in it, as a part of that.
  package static let relativeError = 0.0079

  /// How many values were recorded.
  package private(set) var count = 0
  private(set) var zeros = 0
  private(set) var positive = LogBins()
  private(set) var negative = LogBins()

  package init() {}

  /// Records a finite value.
  @inline(__always)
  package mutating func record(_ value: Double) {
    count &+= 1
    if value > 0 {
      positive.record(value, times: 1)
    } else if value < 0 {
      negative.record(-value, times: 1)
    } else {
      zeros &+= 1
    }
  }

  /// Adds all counts of `other`.
  package mutating func merge(_ other: LogHistogram) {
    count &+= other.count
    zeros &+= other.zeros
    positive.merge(other.positive)
    negative.merge(other.negative)
  }

  /// The bins that hold a value, from the lowest to the highest.
  package var bins: [HistogramBin] {
    var bins: [HistogramBin] = []
    for bin in negative.bins.reversed() {
      bins.append(HistogramBin(lower: -bin.upper, upper: -bin.lower, count: bin.count))
    }
    if zeros > 0 { bins.append(HistogramBin(lower: 0, upper: 0, count: zeros)) }
    return bins + positive.bins
  }
}

/// One interval of a histogram and how many values fell in it.
package struct HistogramBin: Sendable, Equatable {
  /// The lower boundary, in the values' unit.
  package let lower: Double
  /// The upper boundary, in the values' unit.
  package let upper: Double
  /// How many values lie between them.
  package let count: Int

  package init(lower: Double, upper: Double, count: Int) {
    self.lower = lower
    self.upper = upper
    self.count = count
  }

  /// The same without what lies below the least value that was recorded, and above the largest one.
  package func clamped(from least: Double, to most: Double) -> HistogramBin {
    let lower = max(lower, min(least, upper))
    return HistogramBin(lower: lower, upper: max(lower, min(upper, most)), count: count)
  }

  /// The middle, which represents every value of the bin.
  package var middle: Double {
    // Halves of the least values would be rounded; a bin has one sign, so the difference cannot overflow.
    lower + (upper - lower) / 2
  }
}
