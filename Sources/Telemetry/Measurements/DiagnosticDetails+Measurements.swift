public import Foundation
public import TelemetryCore

extension HangDetails {
  /// The duration of the hang.
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
  /// The sampled time.
  public var totalSampledTime: Measurement<UnitDuration>? {
    get { Measurement(totalSampledTimeQuantity) }
    set { totalSampledTimeQuantity = Quantity(newValue) }
  }
}

extension DiskWriteExceptionDetails {
  /// The writes that caused the report.
  public var totalWritesCaused: Measurement<UnitInformationStorage>? {
    get { Measurement(totalWritesCausedQuantity) }
    set { totalWritesCausedQuantity = Quantity(newValue) }
  }
}

extension AppLaunchDetails {
  /// The duration of the launch.
  public var launchDuration: Measurement<UnitDuration>? {
    get { Measurement(launchDurationQuantity) }
    set { launchDurationQuantity = Quantity(newValue) }
  }
}

extension DiagnosticSignpost {
  /// The duration; the only one written with fractions.
  public var duration: Measurement<UnitDuration>? {
    get { Measurement(durationQuantity) }
    set { durationQuantity = Quantity(newValue) }
  }
}
