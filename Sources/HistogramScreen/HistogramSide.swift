import Aggregation
import TelemetryCore

/// One side of a comparison in a histogram.
struct HistogramSide: Sendable, Equatable {
  /// The source of its numbers.
  enum Numbers: Sendable, Equatable {
    /// Individual samples: their mean, spread and extremes are exact.
    case samples(Moments)
    /// Bin counts of payloads: only bounds are known.
    case payloads(days: [TimeHistogram])
  }

  /// An average and its margin of error.
  struct Average: Sendable, Equatable {
    let value: Double
    /// For samples, the 95 % margin of error of the mean; for bins, the maximum error of the mean.
    let doubt: Double
    /// Number of days without a sample, which have no mean.
    var emptyDays = 0
  }

  /// The name of the side: `2.4.1`.
  let name: String
  let numbers: Numbers
  /// True if its samples are integers by type.
  private let isWhole: Bool
  /// Factor of the margins of error, where samples depend on each other.
  private(set) var inflation = 1.0
  /// Bins in order: narrow ones for samples, the recorded ones for payloads.
  let bins: [HistogramBin]
  /// Sum of the bins' counts.
  let count: Int

  /// The samples of a choice.
  init(name: String, _ selection: SampleCube.Selection, isWhole: Bool = false) {
    (self.name, self.isWhole) = (name, isWhole)
    (numbers, bins) = (.samples(selection.moments), selection.bins)
    count = Self.count(of: bins)
  }

  /// The payloads of a choice, one histogram per device-day.
  init(name: String, days: [TimeHistogram]) {
    (self.name, isWhole) = (name, false)
    (numbers, bins) = (.payloads(days: days), TimeHistogram.merging(days).intervals)
    count = Self.count(of: bins)
  }

  private static func count(of bins: [HistogramBin]) -> Int {
    bins.reduce(0) { $0.addingSaturated($1.count) }
  }

  /// The number of independent samples that would tell as much.
  var independentCount: Int {
    inflation == 1 ? count : Int(max(1, min(1e15, Double(count) / (inflation * inflation))))
  }

  /// A copy with wider margins of error.
  func inflated(by factor: Double) -> HistogramSide {
    var copy = self
    copy.inflation = factor
    return copy
  }

  /// True if only bin counts are known.
  var hasBins: Bool { if case .payloads = numbers { true } else { false } }

  /// The mean; `nil` without a sample.
  func average(_ method: AverageMethod = .pooled) -> Average? {
    switch numbers {
    case .samples(let moments):
      guard let mean = moments.mean, let doubt = moments.doubtOfMean else { return nil }
      return Average(value: mean, doubt: doubt * inflation)
    case .payloads(let days):
      let known = method == .published ? days.filter { !$0.isEmpty } : days
      let all = known.map { VersionedHistogram(version: "", histogram: $0) }
      return all.average(applicationVersion: "", method: method).map {
        Average(
          value: $0.value, doubt: max($0.upper - $0.value, $0.value - $0.lower),
          emptyDays: days.count - known.count)
      }
    }
  }

  /// The standard deviation; for bins, that of their middles.
  var standardDeviation: Double? {
    if case .samples(let moments) = numbers { return moments.standardDeviation }
    let all = bins.reduce(0.0) { $0 + Double($1.count) }
    guard all > 0 else { return nil }
    let mean = bins.reduce(0.0) { $0 + $1.middle * (Double($1.count) / all) }
    let variance = bins.reduce(0.0) { sum, bin in
      let distance = bin.middle - mean
      return sum + distance * distance * (Double(bin.count) / all)
    }
    return variance.squareRoot()
  }

  /// The largest value, as far as known.
  var maximum: Double? {
    if case .samples(let moments) = numbers { return moments.count > 0 ? moments.maximum : nil }
    return bins.last?.upper
  }

  /// The 95 % confidence interval of a percentile (0 to 100), including the bounds of its bins; `nil` without a sample.
  ///
  /// The number of samples below a percentile has a binomial distribution.
  func spread(ofPercentile percentile: Double) -> ClosedRange<Double>? {
    // With too few payloads the interval that the samples leave open is not widened any further.
    if hasBins, count < TimePercentile.samplesNeeded(forPercentile: percentile) {
      return quantiles([percentile]).first.map { $0.lower...max($0.lower, $0.upper) }
    }
    let reach = Quantile.reach(ofPercentile: percentile, count: independentCount)
    let found = quantiles([reach.lowerBound, reach.upperBound])
    guard let low = found.first?.lower, let high = found.last?.upper else { return nil }
    return min(low, high)...max(low, high)
  }

  /// The percentiles (0 to 100) with their bounds.
  func quantiles(_ percentiles: [Double]) -> [Quantile] {
    switch numbers {
    case .samples(let moments):
      let found = SampleCube.Selection(moments: moments, bins: bins).quantiles(percentiles)
      return isWhole ? found.map(\.whole) : found
    case .payloads:
      return TimePercentile.values(of: bins, atPercentiles: percentiles).map {
        Quantile(value: $0.value ?? ($0.lower / 2 + $0.upper / 2), lower: $0.lower, upper: $0.upper)
      }
    }
  }
}
