import Codecs

/// The place of a member of an iOS 27 report in the payloads of earlier systems.
///
/// One name for both, so that a figure of iOS 26 and one of iOS 27 are compared.
struct ReportMember {
  /// The form of a member, which differs from that of payloads.
  enum Form: Equatable {
    /// A number or a text.
    case plain
    /// A number with its unit.
    case quantity
    /// An amount of bytes; megabytes are a thousand of the payload's kilobytes.
    case size
    /// A plain count, in thousands in payloads.
    case thousands
    /// A mean with its deviation and number of samples.
    case average(Scale)
    /// The mean alone.
    case mean
    case histogram
  }

  /// The unit of a mean.
  enum Scale { case size, symbol }

  /// The keys from the metric to the member.
  let source: [String]
  /// The keys in a payload.
  let target: [String]
  let form: Form

  init(_ source: String, _ target: String, _ form: Form) {
    self.source = source.split(separator: ".").map(String.init)
    self.target = target.split(separator: ".").map(String.init)
    self.form = form
  }
}

extension ReportMember {
  /// The members of each metric.
  static let metrics: [String: [ReportMember]] = Dictionary(
    grouping: KnownFigure.all.compactMap(\.report), by: \.metric
  ).mapValues { $0.map(\.member) }

  /// The members of metrics that occur once for each signpost or layer, by the list that they go to.
  static let lists: [String: (list: String, members: [ReportMember])] = [
    "signpostIntervalMetric": (
      "signpostMetrics",
      [
        .init("signpostName", "signpostName", .plain), .init("signpostCategory", "signpostCategory", .plain),
        .init("totalCount", "totalSignpostCount", .plain),
        .init("signpostDuration", "signpostIntervalData.histogrammedSignpostDurations", .histogram),
        .init("cpuTime", "signpostIntervalData.signpostCumulativeCPUTime", .quantity),
        .init("averageMemory", "signpostIntervalData.signpostAverageMemory", .mean),
        .init("logicalWrites", "signpostIntervalData.signpostCumulativeLogicalWrites", .size),
        .init("hitchTimeRatio", "signpostIntervalData.signpostCumulativeHitchTimeRatio", .quantity),
      ]
    ),
    "metalFrameRateMetric": (
      "frameRateMetrics",
      [
        .init("layerName", "layerName", .plain), .init("framesPerSecond", "framesPerSecond", .quantity),
        .init("frameCount", "frameCount", .plain),
        .init("activeDrawingDuration", "activeDrawingDuration", .quantity),
      ]
    ),
  ]
}
