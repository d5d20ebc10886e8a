public import Essentials

extension MetricPayload {
  /// What was recorded under one name of one category.
  public struct SignpostMetric: PayloadSection {
    /// The name.
    public var signpostName: String?
    /// The category.
    public var signpostCategory: String?
    /// How many intervals and events; the system stops counting at a thousand of an app.
    public var totalCount = 0
    /// The intervals; absent for events.
    public var signpostIntervalData: SignpostIntervalData?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("signpostName", \.signpostName, .text),
      SectionField("signpostCategory", \.signpostCategory, .text),
      SectionField("totalSignpostCount", \.totalCount, .integer, aliases: ["totalCount"]),
      SectionField("signpostIntervalData", \.signpostIntervalData, .section),
    ]

    /// A section without figures.
    public init() {}
  }

  /// What intervals of one name took; all but the durations is absent unless snapshots were taken.
  public struct SignpostIntervalData: PayloadSection {
    /// How long they took.
    public var histogrammedSignpostDuration: TimeHistogram?
    /// The processor time.
    public var cumulativeCPUTime: Measurement<UnitDuration>?
    /// The mean memory; kB are of 1024 bytes.
    public var averageMemory: Measurement<UnitInformationStorage>?
    /// All writes to disk; kB are of 1024 bytes.
    public var cumulativeLogicalWrites: Measurement<UnitInformationStorage>?
    /// Of animation intervals: milliseconds late per second.
    public var cumulativeHitchTimeRatio: Measurement<Unit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "histogrammedSignpostDurations", \.histogrammedSignpostDuration, .histogram,
        aliases: ["histogrammedSignpostDuration"]),
      SectionField(
        "signpostCumulativeCPUTime", \.cumulativeCPUTime, .duration(.milliseconds),
        aliases: ["cumulativeCPUTime"]),
      SectionField(
        "signpostAverageMemory", \.averageMemory, .information(.kilobytes), aliases: ["averageMemory"]),
      SectionField(
        "signpostCumulativeLogicalWrites", \.cumulativeLogicalWrites, .information(.kilobytes),
        aliases: ["cumulativeLogicalWrites"]),
      SectionField(
        "signpostCumulativeHitchTimeRatio", \.cumulativeHitchTimeRatio, .symbol(.hitchTimeRatio),
        aliases: ["cumulativeHitchTimeRatio"]),
    ]

    /// A section without figures.
    public init() {}
  }
}
