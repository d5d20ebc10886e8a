public import MisterMetricsCore

extension VersionedHistogram {
  /// A histogram as recorded; `nil` unless it is one of times: signal bars count percentages.
  public init?(_ recorded: PayloadHistogram) {
    guard recorded.unit == PayloadUnit.milliseconds.word else { return nil }
    self.init(
      version: recorded.appVersion.isEmpty ? nil : recorded.appVersion,
      includesOtherVersions: recorded.multipleVersions, isSimulated: recorded.simulated,
      histogram: TimeHistogram(recorded.bins))
  }
}

extension MetricStore {
  /// The histograms with one name of all payloads in the store.
  ///
  /// ```swift
  /// let launches = try await store.payloadHistograms(of: "applicationLaunchMetrics.histogrammedTimeToFirstDraw")
  /// launches.average(applicationVersion: "2.1")?.measurement
  /// ```
  ///
  /// - Parameter name: The name of the ``PayloadFigure``.
  /// - Throws: The error of a store that cannot be read.
  public func payloadHistograms(of name: String) async throws -> [VersionedHistogram] {
    try await retrieveAll(for: PayloadMetrics.histogram(name)).compactMap { VersionedHistogram($0.value) }
  }
}
