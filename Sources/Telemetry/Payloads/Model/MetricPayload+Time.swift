public import Essentials

extension MetricPayload {
  /// How long the place was asked for, by accuracy.
  public struct LocationActivityMetric: PayloadSection {
    /// At the best accuracy.
    public var cumulativeBestAccuracyTime: Measurement<UnitDuration>?
    /// At the accuracy for navigation.
    public var cumulativeBestAccuracyForNavigationTime: Measurement<UnitDuration>?
    /// Within ten metres.
    public var cumulativeNearestTenMetersAccuracyTime: Measurement<UnitDuration>?
    /// Within a hundred metres.
    public var cumulativeHundredMetersAccuracyTime: Measurement<UnitDuration>?
    /// Within a kilometre.
    public var cumulativeKilometerAccuracyTime: Measurement<UnitDuration>?
    /// Within three kilometres.
    public var cumulativeThreeKilometersAccuracyTime: Measurement<UnitDuration>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeBestAccuracyTime", \.cumulativeBestAccuracyTime, .duration(.seconds)),
      SectionField(
        "cumulativeBestAccuracyForNavigationTime", \.cumulativeBestAccuracyForNavigationTime,
        .duration(.seconds)),
      SectionField(
        "cumulativeNearestTenMetersAccuracyTime", \.cumulativeNearestTenMetersAccuracyTime,
        .duration(.seconds)),
      SectionField(
        "cumulativeHundredMetersAccuracyTime", \.cumulativeHundredMetersAccuracyTime, .duration(.seconds)),
      SectionField("cumulativeKilometerAccuracyTime", \.cumulativeKilometerAccuracyTime, .duration(.seconds)),
      SectionField(
        "cumulativeThreeKilometersAccuracyTime", \.cumulativeThreeKilometersAccuracyTime, .duration(.seconds)),
    ]

    /// A section without figures.
    public init() {}
  }

  /// How long the app ran.
  public struct ApplicationTimeMetric: PayloadSection {
    /// In the foreground.
    public var cumulativeForegroundTime: Measurement<UnitDuration>?
    /// In the background.
    public var cumulativeBackgroundTime: Measurement<UnitDuration>?
    /// In the background, playing.
    public var cumulativeBackgroundAudioTime: Measurement<UnitDuration>?
    /// In the background, following the place.
    public var cumulativeBackgroundLocationTime: Measurement<UnitDuration>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("cumulativeForegroundTime", \.cumulativeForegroundTime, .duration(.seconds)),
      SectionField("cumulativeBackgroundTime", \.cumulativeBackgroundTime, .duration(.seconds)),
      SectionField("cumulativeBackgroundAudioTime", \.cumulativeBackgroundAudioTime, .duration(.seconds)),
      SectionField(
        "cumulativeBackgroundLocationTime", \.cumulativeBackgroundLocationTime, .duration(.seconds)),
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
    public var scrollHitchTimeRatio: Measurement<Unit>?
    /// Of all animations: milliseconds late per second.
    public var hitchTimeRatio: Measurement<Unit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("scrollHitchTimeRatio", \.scrollHitchTimeRatio, .symbol(.hitchTimeRatio)),
      SectionField("hitchTimeRatio", \.hitchTimeRatio, .symbol(.hitchTimeRatio)),
    ]

    /// A section without figures.
    public init() {}
  }
}
