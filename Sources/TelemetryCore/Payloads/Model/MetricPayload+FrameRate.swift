package import Codecs

extension MetricPayload {
  /// Frames drawn in one Metal layer; iOS 27 and later.
  public struct FrameRateMetric: PayloadSection {
    /// The name of the layer.
    public var layerName: String?
    /// Frames per second.
    package var framesPerSecondQuantity: Quantity<SymbolUnit>?
    /// Number of frames.
    public var frameCount: Int?
    /// Time in which new frames were produced.
    package var activeDrawingDurationQuantity: Quantity<DurationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("layerName", \.layerName, .text),
      SectionField("framesPerSecond", \.framesPerSecondQuantity, .symbol(.hertz)),
      SectionField("frameCount", \.frameCount, .count),
      SectionField("activeDrawingDuration", \.activeDrawingDurationQuantity, .duration(.seconds)),
    ]

    /// An empty section.
    public init() {}
  }
}
