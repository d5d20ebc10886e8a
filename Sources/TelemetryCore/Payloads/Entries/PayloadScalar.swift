/// One number of a payload as recorded: bucket `payload`, metric `cpuMetrics.cumulativeCPUTime`.
///
/// Its ``PayloadDocument`` states the app version, the period and the rest; ``source`` leads to it.
public struct PayloadScalar: Codable, Hashable, Sendable {
  /// The unit as the payload writes it: `sec`, `kB` (which is 1,024 bytes), `count`.
  public let unit: String
  /// The number.
  public let value: Double
  /// The payload: ``RecordedSource/reference``, or its whole source in older stores.
  public let source: String
  /// The app version, if it is not that of the payload; empty if none is named.
  public let appVersion: String?

  /// A number.
  public init(unit: String, value: Double, source: String, appVersion: String? = nil) {
    (self.unit, self.value, self.source, self.appVersion) = (unit, value, source, appVersion)
  }
}
