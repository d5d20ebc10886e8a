extension MetricPayload.ApplicationLaunchMetric: HistogrammedTimeMetric {
  /// The times to first draw of launches that were not prewarmed.
  public var histogram: TimeHistogram { histogrammedTimeToFirstDraw ?? TimeHistogram() }
  /// The same; `nil` if the payload has none.
  public var presentHistogram: TimeHistogram? { histogrammedTimeToFirstDraw }
}

extension MetricPayload.ApplicationResponsivenessMetric: HistogrammedTimeMetric {
  /// The hangs.
  public var histogram: TimeHistogram { histogrammedApplicationHangTime ?? TimeHistogram() }
  /// The same; `nil` if the payload has none.
  public var presentHistogram: TimeHistogram? { histogrammedApplicationHangTime }
}

extension MetricPayload.SignpostIntervalData: HistogrammedTimeMetric {
  /// Durations of the intervals.
  public var histogram: TimeHistogram { histogrammedSignpostDuration ?? TimeHistogram() }
  /// The same; `nil` if the payload has none.
  public var presentHistogram: TimeHistogram? { histogrammedSignpostDuration }
}

extension MetricPayload {
  /// A histogram of this payload with the facts that decide whether it counts for a version.
  ///
  /// - Parameter metric: A section such as `\.applicationLaunchMetrics`, which stands for its main histogram, or a
  ///   single histogram such as `\.applicationLaunchMetrics?.histogrammedApplicationResumeTime`.
  public func versioned<Metric: HistogrammedTimeMetric>(
    _ metric: KeyPath<MetricPayload, Metric?>
  ) -> VersionedHistogram {
    VersionedHistogram(
      version: latestApplicationVersion, includesOtherVersions: includesMultipleApplicationVersions,
      isSimulated: isSimulated, histogram: self[keyPath: metric]?.presentHistogram)
  }
}

extension Sequence<MetricPayload> {
  /// The average of a histogram over the payloads of exactly one version, in milliseconds, with the bounds that the
  /// bins allow and the number of samples; `nil` if there are no samples.
  ///
  /// Payloads that mix versions are left out.
  ///
  /// - Parameters:
  ///   - metric: The histogram: a section, or a histogram in one.
  ///   - applicationVersion: The version.
  ///   - method: The averaging method; ``AverageMethod/published`` is also `nil` if any of the payloads has the
  ///     histogram without samples, since that one has no average.
  ///   - includingSimulated: True to include simulated payloads.
  public func estimatedAverage<Metric: HistogrammedTimeMetric>(
    for metric: KeyPath<MetricPayload, Metric?>, applicationVersion: String, method: AverageMethod = .pooled,
    includingSimulated: Bool = false
  ) -> TimeAverage? {
    map { $0.versioned(metric) }.average(
      applicationVersion: applicationVersion, method: method, includingSimulated: includingSimulated)
  }
}
