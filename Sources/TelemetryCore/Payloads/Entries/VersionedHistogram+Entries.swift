public import MisterMetricsCore

extension VersionedHistogram {
  /// A histogram as recorded; `nil` unless it is one of times: signal bars count percentages.
  ///
  /// - Parameter document: The payload that the histogram belongs to; `nil` if the store does not have it.
  public init?(_ recorded: PayloadHistogram, of document: PayloadDocument?) {
    guard recorded.unit == PayloadUnit.milliseconds.word else { return nil }
    let version = recorded.appVersion ?? document?.appVersion ?? ""
    self.init(
      version: version.isEmpty ? nil : version, includesOtherVersions: document?.multipleVersions ?? false,
      isSimulated: document?.simulated ?? false, histogram: TimeHistogram(recorded.bins))
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
    let documents = try await retrieveAll(for: PayloadMetrics.document).map(\.value)
    let known = Dictionary(documents.map { (RecordedSource.reference(ofSource: $0.source), $0) }) {
      first, _ in
      first
    }
    return try await retrieveAll(for: PayloadMetrics.histogram(name)).compactMap {
      VersionedHistogram($0.value, of: known[RecordedSource.reference(ofSource: $0.value.source)])
    }
  }
}
