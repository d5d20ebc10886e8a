public import Foundation

/// A mean of samples with their spread.
public struct MetricAverage<UnitType: Unit & Sendable>: Hashable, Sendable {
  /// The mean.
  public var averageMeasurement: Measurement<UnitType>
  /// The standard deviation in the unit of the mean; below zero if it is not known, as real devices write it.
  public var standardDeviation: Double
  /// How many samples.
  public var sampleCount: Int

  /// A mean.
  public init(averageMeasurement: Measurement<UnitType>, standardDeviation: Double, sampleCount: Int) {
    self.averageMeasurement = averageMeasurement
    self.standardDeviation = standardDeviation
    self.sampleCount = sampleCount
  }

  /// True without samples: the mean then says nothing.
  public var isMissing: Bool { sampleCount <= 0 }

  /// The standard deviation if it is known.
  public var knownDeviation: Double? { standardDeviation >= 0 ? standardDeviation : nil }
}
