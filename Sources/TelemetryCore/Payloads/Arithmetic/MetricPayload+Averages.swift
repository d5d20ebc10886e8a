extension MetricPayload.ApplicationLaunchMetric: HistogrammedTimeMetric {
  /// The times to the first draw, of launches that the system had not prepared.
  public var histogram: TimeHistogram { histogrammedTimeToFirstDraw ?? TimeHistogram() }
  /// The same, `nil` where the payload has none.
  public var presentHistogram: TimeHistogram? { histogrammedTimeToFirstDraw }
}

extension MetricPayload.ApplicationResponsivenessMetric: HistogrammedTimeMetric {
  /// The hangs.
  public var histogram: TimeHistogram { histogrammedApplicationHangTime ?? TimeHistogram() }
  /// The same, `nil` where the payload has none.
  public var presentHistogram: TimeHistogram? { histogrammedApplicationHangTime }
}

extension MetricPayload.SignpostIntervalData: HistogrammedTimeMetric {
  /// The durations of the intervals.
  public var histogram: TimeHistogram { histogrammedSignpostDuration ?? TimeHistogram() }
  /// The same, `nil` where the payload has none.
  public var presentHistogram: TimeHistogram? { histogrammedSignpostDuration }
}

extension MetricPayload {
  /// A histogram of this payload with what decides whether it counts for a version.
  ///
  /// - Parameter metric: Which one: a section such as `\.applicationLaunchMetrics` with the histogram that stands for it,
  ///   or a histogram such as `\.applicationLaunchMetrics?.histogrammedApplicationResumeTime`.
  public func versioned<Metric: HistogrammedTimeMetric>(
    _ metric: KeyPath<MetricPayload, Metric?>
  ) -> VersionedHistogram {
    VersionedHistogram(
      version: latestApplicationVersion, includesOtherVersions: includesMultipleApplicationVersions,
      isSimulated: isSimulated, histogram: self[keyPath: metric]?.presentHistogram)
  }
}

extension Sequence<MetricPayload> {
  /// The average of a histogram over the payloads of exactly one version, with the bounds that the bins allow, in
  /// milliseconds, and the number of samples; `nil` where none of them has a sample.
  ///
  /// Payloads that mix versions are left out.
  ///
  /// - Parameters:
  ///   - metric: Which histogram: a section, or a histogram in one.
  ///   - applicationVersion: The version.
  ///   - method: How the average is made; ``AverageMethod/published`` is `nil` also where any of the payloads has the
  ///     histogram and no sample in it, for that has no average.
  ///   - includingSimulated: Whether payloads that a simulation made count too.
  public func estimatedAverage<Metric: HistogrammedTimeMetric>(
    for metric: KeyPath<MetricPayload, Metric?>, applicationVersion: String, method: AverageMethod = .pooled,
    includingSimulated: Bool = false
  ) -> TimeAverage? {
    map { $0.versioned(metric) }.average(
      applicationVersion: applicationVersion, method: method, includingSimulated: includingSimulated)
  }
}
