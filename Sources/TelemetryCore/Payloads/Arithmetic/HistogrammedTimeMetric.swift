/// A payload metric that is a histogram of times.
public protocol HistogrammedTimeMetric {
  /// The counts.
  var histogram: TimeHistogram { get }
  /// The counts; `nil` if there is no histogram at all, as opposed to one without samples.
  var presentHistogram: TimeHistogram? { get }
}

extension HistogrammedTimeMetric {
  /// The histogram, which is always present.
  public var presentHistogram: TimeHistogram? { histogram }
}

extension TimeHistogram: HistogrammedTimeMetric {
  /// The histogram itself.
  public var histogram: TimeHistogram { self }
}
