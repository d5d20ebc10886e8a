/// A mean of samples with their spread.
package struct QuantityAverage<UnitType: QuantityUnit>: Hashable, Sendable {
  /// The mean.
  package var mean: Quantity<UnitType>
  /// The standard deviation in the unit of the mean; below zero if it is not known, as real devices write it.
  package var standardDeviation: Double
  /// How many samples.
  package var sampleCount: Int

  /// A mean.
  package init(mean: Quantity<UnitType>, standardDeviation: Double, sampleCount: Int) {
    self.mean = mean
    self.standardDeviation = standardDeviation
    self.sampleCount = sampleCount
  }

  /// A mean of no samples, which says nothing.
  package var isMissing: Bool { sampleCount <= 0 }

  /// The standard deviation if it is known.
  package var knownDeviation: Double? { standardDeviation >= 0 ? standardDeviation : nil }
}
