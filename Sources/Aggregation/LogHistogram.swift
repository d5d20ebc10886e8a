/// A histogram of arbitrary doubles with bins of constant relative width: 64 per octave.
///
/// The top bits of a double's own pattern identify its bin, so finding it costs two shifts; values below 2.2e-308,
/// whose pattern has no octave, are scaled up first. The middle of a bin is within 0.79 % of any value in it. Only
/// octaves that hold a value take memory (256 bytes each). Merging adds the counts and is exact.
package struct LogHistogram: Sendable, Equatable {
  /// Number of bins per octave.
  package static let binsPerOctave = 64
  /// Maximum distance between a bin's middle and a value in the bin, relative to the value.
  package static let relativeError = 0.0079

  /// Number of values recorded.
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

/// One interval of a histogram and the number of values in it.
package struct HistogramBin: Sendable, Equatable {
  /// The lower boundary, in the values' unit.
  package let lower: Double
  /// The upper boundary, in the values' unit.
  package let upper: Double
  /// Number of values in the interval.
  package let count: Int

  package init(lower: Double, upper: Double, count: Int) {
    self.lower = lower
    self.upper = upper
    self.count = count
  }

  /// The bin without the parts below the smallest and above the largest recorded value.
  package func clamped(from least: Double, to most: Double) -> HistogramBin {
    let lower = max(lower, min(least, upper))
    return HistogramBin(lower: lower, upper: max(lower, min(upper, most)), count: count)
  }

  /// The middle, which represents every value of the bin.
  package var middle: Double {
    // Halving the smallest values would round them; a bin has one sign, so the difference cannot overflow.
    lower + (upper - lower) / 2
  }
}
