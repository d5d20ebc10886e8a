public import Foundation

/// A metric of a payload that is a histogram of times.
public protocol HistogrammedTimeMetric {
  /// The counts.
  var histogram: TimeHistogram { get }
}

extension HistogrammedTimeMetric {
  /// The best guess of the average, not a number where there is no sample.
  ///
  /// ``TimeHistogram/average(method:)`` has its bounds, and the other ways to make it.
  public var average: Measurement<UnitDuration> {
    Measurement(value: histogram.average(method: .pooled)?.value ?? .nan, unit: .milliseconds)
  }
}

extension TimeHistogram: HistogrammedTimeMetric {
  /// Itself.
  public var histogram: TimeHistogram { self }
}
