/// One histogram of a payload as recorded: bucket `payload`, metric `applicationLaunchMetrics.…`.
///
/// Its ``PayloadDocument`` states the app version, the period and the rest; ``source`` leads to it.
public struct PayloadHistogram: Codable, Hashable, Sendable {
  /// The unit of the bounds: `ms`; `bars` where the counts are percentages of time.
  public let unit: String
  /// The bins, ordered by their start.
  public let bins: [TimeHistogram.Bin]
  /// The payload: ``RecordedSource/reference``, or its whole source in older stores.
  public let source: String
  /// The app version, if it is not that of the payload; empty if none is named.
  public let appVersion: String?

  /// A histogram.
  public init(unit: String, bins: [TimeHistogram.Bin], source: String, appVersion: String? = nil) {
    (self.unit, self.bins, self.source, self.appVersion) = (unit, bins, source, appVersion)
  }
}
