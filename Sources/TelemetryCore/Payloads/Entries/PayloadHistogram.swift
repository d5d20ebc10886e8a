/// One histogram of a payload as recorded: bucket `payload`, metric `applicationLaunchMetrics.…`.
public struct PayloadHistogram: Codable, Hashable, Sendable {
  /// The unit of the bounds: `ms`; `bars` where the counts are percentages of time.
  public let unit: String
  /// The bins, ordered by their start.
  public let bins: [TimeHistogram.Bin]
  /// The app version; empty if the payload names none.
  public let appVersion: String
  /// Start of the payload's period, as written there.
  public let begin: String
  /// End of the period, as written there.
  public let end: String
  /// True if the payload covers other versions too.
  public let multipleVersions: Bool
  /// True if it was simulated.
  public let simulated: Bool
  /// The payload's file name and content hash.
  public let source: String

  /// A histogram.
  public init(
    unit: String, bins: [TimeHistogram.Bin], appVersion: String, begin: String, end: String,
    multipleVersions: Bool, simulated: Bool, source: String
  ) {
    (self.unit, self.bins) = (unit, bins)
    (self.appVersion, self.begin, self.end) = (appVersion, begin, end)
    (self.multipleVersions, self.simulated, self.source) = (multipleVersions, simulated, source)
  }
}
