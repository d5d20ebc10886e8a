/// One histogram of a payload as it is recorded: bucket `payload`, metric `applicationLaunchMetrics.…`.
public struct PayloadHistogram: Codable, Hashable, Sendable {
  /// The unit of the bounds: `ms`; `bars` where the counts are percents of time.
  public let unit: String
  /// The bins by their start.
  public let bins: [TimeHistogram.Bin]
  /// The version of the app; empty where the payload names none.
  public let appVersion: String
  /// When the time of the payload began, as written there.
  public let begin: String
  /// When it ended, as written there.
  public let end: String
  /// True if the payload covers other versions too.
  public let multipleVersions: Bool
  /// True if a simulation made it.
  public let simulated: Bool
  /// Which payload it is: the name of its file and the hash of its content.
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
