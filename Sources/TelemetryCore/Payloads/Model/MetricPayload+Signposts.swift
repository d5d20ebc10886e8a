package import Codecs

extension MetricPayload {
  /// Signposts of one name and category.
  public struct SignpostMetric: PayloadSection {
    /// The name.
    public var signpostName: String?
    /// The category.
    public var signpostCategory: String?
    /// Number of intervals and events; the system stops counting at a thousand per app.
    public var totalCount = 0
    /// Data of the intervals; absent for events.
    public var signpostIntervalData: SignpostIntervalData?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("signpostName", \.signpostName, .text),
      SectionField("signpostCategory", \.signpostCategory, .text),
      SectionField("totalSignpostCount", \.totalCount, .count, aliases: ["totalCount"]),
      SectionField("signpostIntervalData", \.signpostIntervalData, .section),
    ]

    /// An empty section.
    public init() {}
  }

  /// Intervals of one name; everything but the durations is absent unless snapshots were taken.
  public struct SignpostIntervalData: PayloadSection {
    /// Durations of the intervals.
    public var histogrammedSignpostDuration: TimeHistogram?
    /// The processor time.
    package var cumulativeCPUTimeQuantity: Quantity<DurationUnit>?
    /// The mean memory; a kB is 1,024 bytes.
    package var averageMemoryQuantity: Quantity<InformationUnit>?
    /// All writes to disk; a kB is 1,024 bytes.
    package var cumulativeLogicalWritesQuantity: Quantity<InformationUnit>?
    /// Hitch time of animation intervals: milliseconds late per second.
    package var cumulativeHitchTimeRatioQuantity: Quantity<SymbolUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "histogrammedSignpostDurations", \.histogrammedSignpostDuration, .histogram,
        swiftName: "histogrammedSignpostDuration"),
      SectionField(
        "signpostCumulativeCPUTime", \.cumulativeCPUTimeQuantity, .duration(.milliseconds),
        swiftName: "cumulativeCPUTime"),
      SectionField(
        "signpostAverageMemory", \.averageMemoryQuantity, .kibibytes, swiftName: "averageMemory"
      ),
      SectionField(
        "signpostCumulativeLogicalWrites", \.cumulativeLogicalWritesQuantity, .kibibytes,
        swiftName: "cumulativeLogicalWrites"),
      SectionField(
        "signpostCumulativeHitchTimeRatio", \.cumulativeHitchTimeRatioQuantity, .symbol(.hitchTimeRatio),
        swiftName: "cumulativeHitchTimeRatio"),
    ]

    /// An empty section.
    public init() {}
  }
}
