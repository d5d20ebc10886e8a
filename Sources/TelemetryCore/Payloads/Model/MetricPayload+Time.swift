package import Codecs

extension MetricPayload {
  /// Location tracking time, by accuracy.
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
    /// At the reduced accuracy that the user chose; iOS 27 and later.
    package var cumulativeReducedAccuracyTimeQuantity: Quantity<DurationUnit>?
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
      SectionField(
        "cumulativeReducedAccuracyTime", \.cumulativeReducedAccuracyTimeQuantity, .duration(.seconds)),
    ]

    /// An empty section.
    public init() {}
  }

  /// Time that the app ran.
  public struct ApplicationTimeMetric: PayloadSection {
    /// In the foreground.
    package var cumulativeForegroundTimeQuantity: Quantity<DurationUnit>?
    /// In the background.
    package var cumulativeBackgroundTimeQuantity: Quantity<DurationUnit>?
    /// In the background, playing audio.
    package var cumulativeBackgroundAudioTimeQuantity: Quantity<DurationUnit>?
    /// In the background, tracking the location.
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

    /// An empty section.
    public init() {}
  }

  /// Launch times.
  public struct ApplicationLaunchMetric: PayloadSection {
    /// Time to the first frame of cold launches.
    public var histogrammedTimeToFirstDraw: TimeHistogram?
    /// Time to resume from the background.
    public var histogrammedApplicationResumeTime: TimeHistogram?
    /// Time to the first frame of prewarmed launches.
    public var histogrammedOptimizedTimeToFirstDraw: TimeHistogram?
    /// Time to the end of the tasks that extend the launch.
    public var histogrammedExtendedLaunch: TimeHistogram?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "histogrammedTimeToFirstDrawKey", \.histogrammedTimeToFirstDraw, .histogram,
        swiftName: "histogrammedTimeToFirstDraw"),
      SectionField(
        "histogrammedResumeTime", \.histogrammedApplicationResumeTime, .histogram,
        swiftName: "histogrammedApplicationResumeTime",
        aliases: [
          "histogrammedApplicationResumeTimeKey",
          "histogrammedResumeTimeKey",
        ]),
      SectionField(
        "histogrammedOptimizedTimeToFirstDrawKey", \.histogrammedOptimizedTimeToFirstDraw, .histogram,
        swiftName: "histogrammedOptimizedTimeToFirstDraw"),
      SectionField("histogrammedExtendedLaunch", \.histogrammedExtendedLaunch, .histogram),
    ]

    /// An empty section.
    public init() {}
  }

  /// App hangs.
  public struct ApplicationResponsivenessMetric: PayloadSection {
    /// Hang durations.
    public var histogrammedApplicationHangTime: TimeHistogram?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField(
        "histogrammedAppHangTime", \.histogrammedApplicationHangTime, .histogram,
        swiftName: "histogrammedApplicationHangTime", aliases: ["histogrammedHangTime"])
    ]

    /// An empty section.
    public init() {}
  }

  /// Smoothness of animations.
  public struct AnimationMetric: PayloadSection {
    /// While scrolling: milliseconds late per second.
    package var scrollHitchTimeRatioQuantity: Quantity<SymbolUnit>?
    /// In all animations: milliseconds late per second.
    package var hitchTimeRatioQuantity: Quantity<SymbolUnit>?
    /// Time by which frames came late, in all animations; iOS 27 and later.
    package var totalHitchTimeQuantity: Quantity<DurationUnit>?
    /// Duration of all animations; iOS 27 and later.
    package var totalAnimationTimeQuantity: Quantity<DurationUnit>?
    package var otherFields: [String: JSONValue] = [:]

    package static let fields: [SectionField<Self>] = [
      SectionField("scrollHitchTimeRatio", \.scrollHitchTimeRatioQuantity, .symbol(.hitchTimeRatio)),
      SectionField("hitchTimeRatio", \.hitchTimeRatioQuantity, .symbol(.hitchTimeRatio)),
      SectionField("totalHitchTime", \.totalHitchTimeQuantity, .duration(.milliseconds)),
      SectionField("totalAnimationTime", \.totalAnimationTimeQuantity, .duration(.milliseconds)),
    ]

    /// An empty section.
    public init() {}
  }
}
