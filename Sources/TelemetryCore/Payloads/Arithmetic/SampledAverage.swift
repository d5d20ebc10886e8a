import Aggregation

/// An average of which the samples are not known: mean, deviation and number, as `MXAverage` has them.
public struct SampledAverage: Hashable, Sendable {
  /// The mean of the samples.
  public let mean: Double
  /// Their standard deviation (divided by n); `nil` where it is not known.
  public let standardDeviation: Double?
  /// How many samples; `Int.max` for more than that.
  public let count: Int

  /// An average as a payload gives it; `nil` where it has no sample.
  ///
  /// - Parameters:
  ///   - mean: The mean.
  ///   - standardDeviation: The deviation; what is below zero means that it is not known, as devices write -1.
  ///   - count: How many samples.
  public init?(mean: Double, standardDeviation: Double?, count: Int) {
    guard mean.isFinite, count > 0 else { return nil }
    (self.mean, self.count) = (mean, count)
    self.standardDeviation = standardDeviation.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
  }

  /// The average of the samples of all, each weighted by its number; `nil` for none.
  ///
  /// The deviation joins the deviations within and the distances between the means; one that is not known makes it
  /// not known.
  public static func combining(_ averages: some Collection<SampledAverage>) -> SampledAverage? {
    let weight = { (average: SampledAverage) in Double(average.count) }
    guard let mean = WeightedMean.of(averages, value: \.mean, weight: weight) else { return nil }
    let isKnown = averages.allSatisfy { $0.standardDeviation != nil }
    // Taken relative to the largest of them, whose square might have no double.
    let scale = averages.reduce(0.0) { max($0, $1.standardDeviation ?? 0, ($1.mean - mean).magnitude) }
    let variance = WeightedMean.of(
      averages,
      value: { average in
        let (within, between) = ((average.standardDeviation ?? 0) / scale, (average.mean - mean) / scale)
        return within * within + between * between
      }, weight: weight)
    let deviation = scale > 0 && scale.isFinite ? (variance ?? 0).squareRoot() * scale : scale
    return SampledAverage(
      mean: mean, standardDeviation: isKnown ? deviation : nil,
      count: averages.reduce(0) { $0.addingSaturated($1.count) })
  }
}
