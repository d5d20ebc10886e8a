public import Foundation

/// A mean of samples with its deviation.
public struct MetricAverage<UnitType: Unit & Sendable>: Hashable, Sendable {
  /// The mean.
  public var averageMeasurement: Measurement<UnitType>
  /// The standard deviation in the unit of the mean; negative if unknown, as real devices write it.
  public var standardDeviation: Double
  /// Number of samples.
  public var sampleCount: Int

  /// Creates a mean.
  public init(averageMeasurement: Measurement<UnitType>, standardDeviation: Double, sampleCount: Int) {
    self.averageMeasurement = averageMeasurement
    self.standardDeviation = standardDeviation
    self.sampleCount = sampleCount
  }

  /// True without samples: the mean is then meaningless.
  public var isMissing: Bool { sampleCount <= 0 }

  /// The standard deviation, if known.
  public var knownDeviation: Double? { standardDeviation >= 0 ? standardDeviation : nil }
}
