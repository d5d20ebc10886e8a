public import Foundation
public import TelemetryCore

extension MetricPayload.LocationActivityMetric {
  /// The time at the best accuracy.
  public var cumulativeBestAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBestAccuracyTimeQuantity) }
    set { cumulativeBestAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// The time at the accuracy for navigation.
  public var cumulativeBestAccuracyForNavigationTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBestAccuracyForNavigationTimeQuantity) }
    set { cumulativeBestAccuracyForNavigationTimeQuantity = Quantity(newValue) }
  }
  /// The time at an accuracy of ten metres.
  public var cumulativeNearestTenMetersAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeNearestTenMetersAccuracyTimeQuantity) }
    set { cumulativeNearestTenMetersAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// The time at an accuracy of a hundred metres.
  public var cumulativeHundredMetersAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeHundredMetersAccuracyTimeQuantity) }
    set { cumulativeHundredMetersAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// The time at an accuracy of a kilometre.
  public var cumulativeKilometerAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeKilometerAccuracyTimeQuantity) }
    set { cumulativeKilometerAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// The time at an accuracy of three kilometres.
  public var cumulativeThreeKilometersAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeThreeKilometersAccuracyTimeQuantity) }
    set { cumulativeThreeKilometersAccuracyTimeQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.ApplicationTimeMetric {
  /// The time in the foreground.
  public var cumulativeForegroundTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeForegroundTimeQuantity) }
    set { cumulativeForegroundTimeQuantity = Quantity(newValue) }
  }
  /// The time in the background.
  public var cumulativeBackgroundTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBackgroundTimeQuantity) }
    set { cumulativeBackgroundTimeQuantity = Quantity(newValue) }
  }
  /// The time in the background with audio.
  public var cumulativeBackgroundAudioTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBackgroundAudioTimeQuantity) }
    set { cumulativeBackgroundAudioTimeQuantity = Quantity(newValue) }
  }
  /// The time in the background with location updates.
  public var cumulativeBackgroundLocationTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBackgroundLocationTimeQuantity) }
    set { cumulativeBackgroundLocationTimeQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.AnimationMetric {
  /// The hitch ratio of scrolling: milliseconds late per second.
  public var scrollHitchTimeRatio: Measurement<Unit>? {
    get { Measurement(scrollHitchTimeRatioQuantity) }
    set { scrollHitchTimeRatioQuantity = Quantity(newValue) }
  }
  /// The hitch ratio of all animations: milliseconds late per second.
  public var hitchTimeRatio: Measurement<Unit>? {
    get { Measurement(hitchTimeRatioQuantity) }
    set { hitchTimeRatioQuantity = Quantity(newValue) }
  }
}
