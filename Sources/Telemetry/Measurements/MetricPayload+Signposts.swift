public import Foundation
public import TelemetryCore

extension MetricPayload.SignpostIntervalData {
  /// The processor time.
  public var cumulativeCPUTime: Measurement<UnitDuration>? {
    get { Measurement(cumulativeCPUTimeQuantity) }
    set { cumulativeCPUTimeQuantity = Quantity(newValue) }
  }
  /// The mean memory; 1 kB is 1024 bytes.
  public var averageMemory: Measurement<UnitInformationStorage>? {
    get { Measurement(averageMemoryQuantity) }
    set { averageMemoryQuantity = Quantity(newValue) }
  }
  /// All writes to disk; 1 kB is 1024 bytes.
  public var cumulativeLogicalWrites: Measurement<UnitInformationStorage>? {
    get { Measurement(cumulativeLogicalWritesQuantity) }
    set { cumulativeLogicalWritesQuantity = Quantity(newValue) }
  }
  /// The hitch ratio of animation intervals: milliseconds late per second.
  public var cumulativeHitchTimeRatio: Measurement<Unit>? {
    get { Measurement(cumulativeHitchTimeRatioQuantity) }
    set { cumulativeHitchTimeRatioQuantity = Quantity(newValue) }
  }
}
