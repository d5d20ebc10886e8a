/// The meaning and range of a fault's amount.
public struct FaultMeasure: Hashable, Sendable {
  /// The unit of the amount; empty for a fault that has none.
  public let unit: String
  /// The amounts that there are.
  public let range: ClosedRange<Double>
  /// The amount when none is given.
  public let usual: Double
  /// One step of a slider.
  public let step: Double

  /// A measure.
  public init(unit: String, range: ClosedRange<Double>, usual: Double, step: Double) {
    (self.unit, self.range, self.usual, self.step) = (unit, range, usual, step)
  }
}

/// How much of a fault there is, and how likely it is, as scenarios and keys change it.
package enum FaultAmount {
  private static let likelihoods = [1, 0.5, 0.2, 0.1]

  /// An amount moved to the next end of its range; what is no number is the lower one.
  package static func bounded(_ amount: Double, to range: ClosedRange<Double>) -> Double {
    amount >= range.lowerBound ? min(amount, range.upperBound) : range.lowerBound
  }

  /// An amount that is so many steps more, or less; it may lie out of its range.
  ///
  /// The amounts lie on the steps around the usual one, so an end of the range that lies beside them is left again.
  package static func moved(_ amount: Double, by steps: Int, usual: Double, step: Double) -> Double {
    guard step > 0, steps != 0 else { return amount }
    let place = (amount - usual) / step
    // A place within rounding of a step lies on it.
    let start = steps > 0 ? (place + 1e-6).rounded(.down) : (place - 1e-6).rounded(.up)
    let wanted = usual + (start + Double(steps)) * step
    return (wanted * 1e6).rounded() / 1e6
  }

  /// The next likelihood of always, 1 in 2, 1 in 5, 1 in 10.
  package static func likelihood(after probability: Double) -> Double {
    likelihoods.first { $0 < probability } ?? 1
  }
}
