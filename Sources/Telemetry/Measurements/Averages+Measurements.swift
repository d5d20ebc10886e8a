public import Foundation
public import TelemetryCore

extension TimeAverage {
  /// The average as a measurement.
  public var measurement: Measurement<UnitDuration> { Measurement(value: value, unit: .milliseconds) }
}

extension HistogrammedTimeMetric {
  /// The best estimate of the average; NaN without samples.
  ///
  /// ``TimeHistogram/average(method:)`` has its bounds, and the other methods.
  public var average: Measurement<UnitDuration> {
    Measurement(value: histogram.average(method: .pooled)?.value ?? .nan, unit: .milliseconds)
  }
}

extension Sequence<MetricPayload> {
  /// The average of a histogram over the payloads of exactly one version; `nil` if none of them has a sample.
  ///
  /// ```swift
  /// let launch = payloads.average(for: \.applicationLaunchMetrics, applicationVersion: "2.4", method: .published)
  /// ```
  ///
  /// Payloads with mixed versions are left out. ``estimatedAverage(for:applicationVersion:method:includingSimulated:)``
  /// also returns the margin of error.
  ///
  /// - Parameters:
  ///   - metric: The histogram: a section, or a histogram in one.
  ///   - applicationVersion: The version.
  ///   - method: The method of averaging; ``AverageMethod/published`` also gives `nil` if any of the payloads has the
  ///     histogram without samples, since that has no average.
  ///   - includingSimulated: Whether to include payloads from simulations.
  public func average<Metric: HistogrammedTimeMetric>(
    for metric: KeyPath<MetricPayload, Metric?>, applicationVersion: String, method: AverageMethod = .pooled,
    includingSimulated: Bool = false
  ) -> Measurement<UnitDuration>? {
    estimatedAverage(
      for: metric, applicationVersion: applicationVersion, method: method,
      includingSimulated: includingSimulated)?.measurement
  }
}
