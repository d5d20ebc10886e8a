package import Codecs

extension MetricPayload {
  /// How long the place was asked for, by accuracy.
  public struct LocationActivityMetric: PayloadSection {
    /// At the best accuracy.
    package var cumulativeBestAccuracyTimeQuantity: Quantity<DurationUnit>?
    /// At the accuracy for navigation.
    package var cumulativeBestAccuracyForNavigationTimeQuantity: Quantity<DurationUnit>?
    /// Within ten metres.
    package var cumulativeNearestTenMetersAccuracyTimeQuantity: Quantity<DurationUnit>?
    /// Within a hundred metres.
    package var cumulativeHundredMetersAccuracyTimeQuantity: Quantity<DurationUnit>?
    /// Within a kilometre.
    package var cumulativeKilometerAccuracyTimeQuantity: Quantity<DurationUnit>?
    /// Within three kilometres.
    package var cumulativeThreeKilometersAccuracyTimeQuantity: Quantity<DurationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeBestAccuracyTime", \.cumulativeBestAccuracyTimeQuantity, .duration(.seconds)),
      SectionField(
        "cumulativeBestAccuracyForNavigationTime", \.cumulativeBestAccuracyForNavigationTimeQuantity,
        .duration(.seconds)),
      SectionField(
        "cumulativeNearestTenMetersAccuracyTime", \.cumulativeNearestTenMetersAccuracyTimeQuantity,
        .duration(.seconds)),
      SectionField(
        "cumulativeHundredMetersAccuracyTime", \.cumulativeHundredMetersAccuracyTimeQuantity,
        .duration(.seconds)),
      SectionField(
        "cumulativeKilometerAccuracyTime", \.cumulativeKilometerAccuracyTimeQuantity, .duration(.seconds)),
      SectionField(
        "cumulativeThreeKilometersAccuracyTime", \.cumulativeThreeKilometersAccuracyTimeQuantity,
        .duration(.seconds)),
    ]

    /// A section without figures.
    public init() {}
  }

  /// How long the app ran.
  public struct ApplicationTimeMetric: PayloadSection {
    /// In the foreground.
    package var cumulativeForegroundTimeQuantity: Quantity<DurationUnit>?
    /// In the background.
    package var cumulativeBackgroundTimeQuantity: Quantity<DurationUnit>?
    /// In the background, playing.
    package var cumulativeBackgroundAudioTimeQuantity: Quantity<DurationUnit>?
    /// In the background, following the place.
    package var cumulativeBackgroundLocationTimeQuantity: Quantity<DurationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeForegroundTime", \.cumulativeForegroundTimeQuantity, .duration(.seconds)),
      SectionField("cumulativeBackgroundTime", \.cumulativeBackgroundTimeQuantity, .duration(.seconds)),
      SectionField(
        "cumulativeBackgroundAudioTime", \.cumulativeBackgroundAudioTimeQuantity, .duration(.seconds)),
      SectionField(
        "cumulativeBackgroundLocationTime", \.cumulativeBackgroundLocationTimeQuantity, .duration(.seconds)),
    ]

    /// A section without figures.
    public init() {}
  }

  /// How long launches took.
  public struct ApplicationLaunchMetric: PayloadSection {
    /// Until the first frame, of cold launches.
    public var histogrammedTimeToFirstDraw: TimeHistogram?
    /// Until the app was there again.
    public var histogrammedApplicationResumeTime: TimeHistogram?
    /// Until the first frame, of launches the system had prepared.
    public var histogrammedOptimizedTimeToFirstDraw: TimeHistogram?
    /// Until the tasks were done by which the app extended its launch.
    public var histogrammedExtendedLaunch: TimeHistogram?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "histogrammedTimeToFirstDrawKey", \.histogrammedTimeToFirstDraw, .histogram,
        aliases: ["histogrammedTimeToFirstDraw"]),
      SectionField(
        "histogrammedResumeTime", \.histogrammedApplicationResumeTime, .histogram,
        aliases: [
          "histogrammedApplicationResumeTime", "histogrammedApplicationResumeTimeKey",
          "histogrammedResumeTimeKey",
        ]),
      SectionField(
        "histogrammedOptimizedTimeToFirstDrawKey", \.histogrammedOptimizedTimeToFirstDraw, .histogram,
        aliases: ["histogrammedOptimizedTimeToFirstDraw"]),
      SectionField("histogrammedExtendedLaunch", \.histogrammedExtendedLaunch, .histogram),
    ]

    /// A section without figures.
    public init() {}
  }

  /// How long the app did not answer.
  public struct ApplicationResponsivenessMetric: PayloadSection {
    /// Hangs.
    public var histogrammedApplicationHangTime: TimeHistogram?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "histogrammedAppHangTime", \.histogrammedApplicationHangTime, .histogram,
        aliases: ["histogrammedApplicationHangTime", "histogrammedHangTime"])
    ]

    /// A section without figures.
    public init() {}
  }

  /// How smooth motion was.
  public struct AnimationMetric: PayloadSection {
    /// Of scrolling: milliseconds late per second.
    package var scrollHitchTimeRatioQuantity: Quantity<SymbolUnit>?
    /// Of all animations: milliseconds late per second.
    package var hitchTimeRatioQuantity: Quantity<SymbolUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("scrollHitchTimeRatio", \.scrollHitchTimeRatioQuantity, .symbol(.hitchTimeRatio)),
      SectionField("hitchTimeRatio", \.hitchTimeRatioQuantity, .symbol(.hitchTimeRatio)),
    ]

    /// A section without figures.
    public init() {}
  }
}
