/// A mean of samples with its deviation.
package struct QuantityAverage<UnitType: QuantityUnit>: Hashable, Sendable {
  /// The mean.
  package var mean: Quantity<UnitType>
  /// The standard deviation in the unit of the mean; negative if unknown, as real devices write it.
  package var standardDeviation: Double
  /// Number of samples.
  package var sampleCount: Int

  /// A mean.
  package init(mean: Quantity<UnitType>, standardDeviation: Double, sampleCount: Int) {
    self.mean = mean
    self.standardDeviation = standardDeviation
    self.sampleCount = sampleCount
  }

  /// True for a mean without samples, which is meaningless.
  package var isMissing: Bool { sampleCount <= 0 }

  /// The standard deviation, if known.
  package var knownDeviation: Double? { standardDeviation >= 0 ? standardDeviation : nil }
}
