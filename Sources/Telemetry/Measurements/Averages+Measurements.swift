public import Foundation
public import TelemetryCore

extension TimeAverage {
  /// The average as a measurement.
  public var measurement: Measurement<UnitDuration> { Measurement(value: value, unit: .milliseconds) }
}

extension HistogrammedTimeMetric {
  /// The best guess of the average, not a number where there is no sample.
  ///
  /// ``TimeHistogram/average(method:)`` has its bounds, and the other ways to make it.
  public var average: Measurement<UnitDuration> {
    Measurement(value: histogram.average(method: .pooled)?.value ?? .nan, unit: .milliseconds)
  }
}

extension Sequence<MetricPayload> {
  /// The average of a histogram over the payloads of exactly one version; `nil` where none of them has a sample.
  ///
  /// ```swift
  /// let launch = payloads.average(for: \.applicationLaunchMetrics, applicationVersion: "2.4", method: .published)
  /// ```
  ///
  /// Payloads that mix versions are left out. ``estimatedAverage(for:applicationVersion:method:includingSimulated:)``
  /// also says how far off it may be.
  ///
  /// - Parameters:
  ///   - metric: Which histogram: a section, or a histogram in one.
  ///   - applicationVersion: The version.
  ///   - method: How the average is made; ``AverageMethod/published`` is `nil` also where any of the payloads has the
  ///     histogram and no sample in it, for that has no average.
  ///   - includingSimulated: Whether payloads that a simulation made count too.
  public func average<Metric: HistogrammedTimeMetric>(
    for metric: KeyPath<MetricPayload, Metric?>, applicationVersion: String, method: AverageMethod = .pooled,
    includingSimulated: Bool = false
  ) -> Measurement<UnitDuration>? {
    estimatedAverage(
      for: metric, applicationVersion: applicationVersion, method: method,
      includingSimulated: includingSimulated)?.measurement
  }
}
