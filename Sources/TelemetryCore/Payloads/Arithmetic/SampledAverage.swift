import Aggregation

/// An average whose samples are unknown: mean, deviation and count, as in `MXAverage`.
public struct SampledAverage: Hashable, Sendable {
  /// The mean of the samples.
  public let mean: Double
  /// Their standard deviation (divided by n); `nil` if unknown.
  public let standardDeviation: Double?
  /// Number of samples; saturates at `Int.max`.
  public let count: Int

  /// An average from a payload; `nil` without samples.
  ///
  /// - Parameters:
  ///   - mean: The mean.
  ///   - standardDeviation: The deviation; a negative one means unknown, since devices write -1.
  ///   - count: Number of samples.
  public init?(mean: Double, standardDeviation: Double?, count: Int) {
    guard mean.isFinite, count > 0 else { return nil }
    (self.mean, self.count) = (mean, count)
    self.standardDeviation = standardDeviation.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
  }

  /// The average over the samples of all averages, each weighted by its count; `nil` if there are none.
  ///
  /// The deviation combines the deviations within the averages and the distances between their means. If one of them
  /// is unknown, so is the result.
  public static func combining(_ averages: some Collection<SampledAverage>) -> SampledAverage? {
    let weight = { (average: SampledAverage) in Double(average.count) }
    guard let mean = WeightedMean.of(averages, value: \.mean, weight: weight) else { return nil }
    let isKnown = averages.allSatisfy { $0.standardDeviation != nil }
    // Relative to the largest term, whose square might overflow.
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
