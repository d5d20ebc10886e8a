public import Foundation
public import TelemetryCore

extension HangDetails {
  /// How long.
  public var hangDuration: Measurement<UnitDuration>? {
    get { Measurement(hangDurationQuantity) }
    set { hangDurationQuantity = Quantity(newValue) }
  }
}

extension CPUExceptionDetails {
  /// The processor time.
  public var totalCPUTime: Measurement<UnitDuration>? {
    get { Measurement(totalCPUTimeQuantity) }
    set { totalCPUTimeQuantity = Quantity(newValue) }
  }
  /// The time that was looked at.
  public var totalSampledTime: Measurement<UnitDuration>? {
    get { Measurement(totalSampledTimeQuantity) }
    set { totalSampledTimeQuantity = Quantity(newValue) }
  }
}

extension DiskWriteExceptionDetails {
  /// How much.
  public var totalWritesCaused: Measurement<UnitInformationStorage>? {
    get { Measurement(totalWritesCausedQuantity) }
    set { totalWritesCausedQuantity = Quantity(newValue) }
  }
}

extension AppLaunchDetails {
  /// How long it took.
  public var launchDuration: Measurement<UnitDuration>? {
    get { Measurement(launchDurationQuantity) }
    set { launchDurationQuantity = Quantity(newValue) }
  }
}

extension DiagnosticSignpost {
  /// How long it took; the one duration that is written with its fraction.
  public var duration: Measurement<UnitDuration>? {
    get { Measurement(durationQuantity) }
    set { durationQuantity = Quantity(newValue) }
  }
}
