/// One number of a payload as it is recorded: bucket `payload`, metric `cpuMetrics.cumulativeCPUTime`.
public struct PayloadScalar: Codable, Hashable, Sendable {
  /// The unit as the payload writes it: `sec`, `kB` (which is 1,024 bytes), `count`.
  public let unit: String
  /// The number.
  public let value: Double
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
