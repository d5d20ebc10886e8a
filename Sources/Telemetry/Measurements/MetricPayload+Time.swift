public import Foundation
public import TelemetryCore

extension MetricPayload.LocationActivityMetric {
  /// At the best accuracy.
  public var cumulativeBestAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBestAccuracyTimeQuantity) }
    set { cumulativeBestAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// At the accuracy for navigation.
  public var cumulativeBestAccuracyForNavigationTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBestAccuracyForNavigationTimeQuantity) }
    set { cumulativeBestAccuracyForNavigationTimeQuantity = Quantity(newValue) }
  }
  /// Within ten metres.
  public var cumulativeNearestTenMetersAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeNearestTenMetersAccuracyTimeQuantity) }
    set { cumulativeNearestTenMetersAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// Within a hundred metres.
  public var cumulativeHundredMetersAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeHundredMetersAccuracyTimeQuantity) }
    set { cumulativeHundredMetersAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// Within a kilometre.
  public var cumulativeKilometerAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeKilometerAccuracyTimeQuantity) }
    set { cumulativeKilometerAccuracyTimeQuantity = Quantity(newValue) }
  }
  /// Within three kilometres.
  public var cumulativeThreeKilometersAccuracyTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeThreeKilometersAccuracyTimeQuantity) }
    set { cumulativeThreeKilometersAccuracyTimeQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.ApplicationTimeMetric {
  /// In the foreground.
  public var cumulativeForegroundTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeForegroundTimeQuantity) }
    set { cumulativeForegroundTimeQuantity = Quantity(newValue) }
  }
  /// In the background.
  public var cumulativeBackgroundTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBackgroundTimeQuantity) }
    set { cumulativeBackgroundTimeQuantity = Quantity(newValue) }
  }
  /// In the background, playing.
  public var cumulativeBackgroundAudioTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBackgroundAudioTimeQuantity) }
    set { cumulativeBackgroundAudioTimeQuantity = Quantity(newValue) }
  }
  /// In the background, following the place.
  public var cumulativeBackgroundLocationTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeBackgroundLocationTimeQuantity) }
    set { cumulativeBackgroundLocationTimeQuantity = Quantity(newValue) }
  }
}

extension MetricPayload.AnimationMetric {
  /// Of scrolling: milliseconds late per second.
  public var scrollHitchTimeRatio: Measurement<Unit>? {
    get { Measurement(scrollHitchTimeRatioQuantity) }
    set { scrollHitchTimeRatioQuantity = Quantity(newValue) }
  }
  /// Of all animations: milliseconds late per second.
  public var hitchTimeRatio: Measurement<Unit>? {
    get { Measurement(hitchTimeRatioQuantity) }
    set { hitchTimeRatioQuantity = Quantity(newValue) }
  }
}
