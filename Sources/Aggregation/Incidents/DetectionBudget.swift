import Essentials

/// How many false lines are allowed for: all series of a screen share one budget.
///
/// | sensitivity | false lines an hour, all series together |
/// |---|---|
/// | `low` | 0.1 |
/// | `normal` | 1 |
/// | `high` | 10 |
///
/// A threshold is a logarithm of a chance, so it grows with the logarithm of the number of series.
package struct DetectionBudget: Sendable, Hashable {
  package enum Sensitivity: String, Sendable, Hashable, CaseIterable {
    case low, normal, high

    /// False lines an hour of all series together.
    package var linesPerHour: Double {
      switch self {
      case .low: 0.1
      case .normal: 1
      case .high: 10
      }
    }
  }

  /// Tests that each series runs side by side: three lengths of windows, tail, outlier, rate, silence,
  /// shares.
  private static let parts = 6.0
  /// The budget that the fixed thresholds of the design were found with: 1 line an hour, 1,000 series.
  private static let reference = log(1000 * parts)

  /// The logarithm of one over the false lines an hour that one part of one series may have.
  let odds: Float

  /// - Parameters:
  ///   - sensitivity: how many false lines all series may have.
  ///   - seriesCount: how many series share them.
  package init(_ sensitivity: Sensitivity = .normal, seriesCount: Int = 1000) {
    let count = Double(max(1, min(seriesCount, 1_000_000)))
    odds = Float(log(Self.parts * count / sensitivity.linesPerHour))
  }

  /// Thresholds against those of the reference: 0.66 with 50 series, 1 with 1,000.
  var scale: Float { max(0.4, odds / Float(Self.reference)) }

  /// The chance of a false alarm in one of so many trials an hour.
  func chance(trialsPerHour: Float) -> Float { exp(-odds) / max(1, trialsPerHour) }
}
