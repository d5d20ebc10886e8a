/// A metric of a payload that is a histogram of times.
public protocol HistogrammedTimeMetric {
  /// The counts.
  var histogram: TimeHistogram { get }
  /// The counts, `nil` where there is no histogram at all, which is not the same as one without a sample.
  var presentHistogram: TimeHistogram? { get }
}

extension HistogrammedTimeMetric {
  /// The histogram, which is always present.
  public var presentHistogram: TimeHistogram? { histogram }
}

extension TimeHistogram: HistogrammedTimeMetric {
  /// Itself.
  public var histogram: TimeHistogram { self }
}
