/// One number of a payload as recorded: bucket `payload`, metric `cpuMetrics.cumulativeCPUTime`.
public struct PayloadScalar: Codable, Hashable, Sendable {
  /// The unit as the payload writes it: `sec`, `kB` (which is 1,024 bytes), `count`.
  public let unit: String
  /// The number.
  public let value: Double
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

  /// A number.
  public init(
    unit: String, value: Double, appVersion: String, begin: String, end: String, multipleVersions: Bool,
    simulated: Bool, source: String
  ) {
    (self.unit, self.value) = (unit, value)
    (self.appVersion, self.begin, self.end) = (appVersion, begin, end)
    (self.multipleVersions, self.simulated, self.source) = (multipleVersions, simulated, source)
  }
}
