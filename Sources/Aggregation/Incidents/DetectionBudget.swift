import Essentials

/// The number of false lines allowed; all series of a screen share one budget.
///
/// | sensitivity | false lines an hour, all series together |
/// |---|---|
/// | `low` | 0.1 |
/// | `normal` | 1 |
/// | `high` | 10 |
///
/// A threshold is the logarithm of a probability, so it grows with the logarithm of the number of series.
package struct DetectionBudget: Sendable, Hashable {
  package enum Sensitivity: String, Sendable, Hashable, CaseIterable {
    case low, normal, high

    /// False lines per hour of all series together.
    package var linesPerHour: Double {
      switch self {
      case .low: 0.1
      case .normal: 1
      case .high: 10
      }
    }
  }

  /// Parallel tests per series: level, tail, outlier, rate, silence and shares.
  private static let parts = 6.0
  /// Budget for which the fixed thresholds were tuned: 1 line per hour over 1,000 series.
  private static let reference = log(1000 * parts)

  /// Negative logarithm of the false lines per hour allowed for one test of one series.
  let odds: Float

  /// - Parameters:
  ///   - sensitivity: the number of false lines allowed for all series together.
  ///   - seriesCount: the number of series that share the budget.
  package init(_ sensitivity: Sensitivity = .normal, seriesCount: Int = 1000) {
    let count = Double(max(1, min(seriesCount, 1_000_000)))
    odds = Float(log(Self.parts * count / sensitivity.linesPerHour))
  }

  /// Scale of thresholds relative to the reference budget: 0.66 for 50 series, 1 for 1,000.
  var scale: Float { max(0.4, odds / Float(Self.reference)) }

  /// Allowed probability of a false alarm per trial, given the number of trials per hour.
  func chance(trialsPerHour: Float) -> Float { exp(-odds) / max(1, trialsPerHour) }
}
