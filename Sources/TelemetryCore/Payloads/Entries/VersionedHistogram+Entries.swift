public import MisterMetricsCore

extension VersionedHistogram {
  /// A histogram as it was recorded; nil where it is none of times: signal bars count percents.
  public init?(_ recorded: PayloadHistogram) {
    guard recorded.unit == PayloadUnit.milliseconds.word else { return nil }
    self.init(
      version: recorded.appVersion.isEmpty ? nil : recorded.appVersion,
      includesOtherVersions: recorded.multipleVersions, isSimulated: recorded.simulated,
      histogram: TimeHistogram(recorded.bins))
  }
}

extension MetricStore {
  /// The histograms of one name of all payloads that the store holds.
  ///
  /// ```swift
  /// let launches = try await store.payloadHistograms(of: "applicationLaunchMetrics.histogrammedTimeToFirstDraw")
  /// launches.average(applicationVersion: "2.1")?.measurement
  /// ```
  ///
  /// - Parameter name: The name of the ``PayloadFigure``.
  /// - Throws: What the store throws when it cannot be read.
  public func payloadHistograms(of name: String) async throws -> [VersionedHistogram] {
    try await retrieveAll(for: PayloadMetrics.histogram(name)).compactMap { VersionedHistogram($0.value) }
  }
}
