import Essentials

/// The usual distance of a statistic from its expected value: two running quantiles of the distances.
///
/// Each distance moves each quantile up or down, on a logarithmic scale, by steps that balance at the quantile
/// (stochastic approximation, Robbins and Monro 1951; Tierney 1983 for quantiles). Replaces the prototype's MAD of the
/// last 240 distances (960 bytes). The 95th percentile covers rare but usual events: bursts, restarts, a job every
/// minute.
struct SpreadEstimate: Sendable, Equatable {
  /// The median distance and the 95th percentile; 0 before the first distance.
  private var middle: Float = 0
  private var high: Float = 0
  private(set) var count: Int32 = 0

  private static let smallest: Float = 1e-6

  /// Standard deviation of the distances under a normal distribution, from the quantile that gives the larger one.
  var deviation: Float { max(1.4826 * middle, 0.51 * high) }

  /// Variance from the median distance alone.
  var middleSquared: Float { 2.198 * middle * middle }

  mutating func add(_ distance: Float, gain least: Float) {
    let value = max(Self.smallest, min(abs(distance), 1e6))
    count = min(count &+ 1, 1 << 20)
    // The first distances may be zero by chance, and multiplicative steps cannot grow from zero.
    guard count > 4 else {
      middle = max(middle, value)
      return high = 2 * middle
    }
    let gain = max(least, 4 / Float(count &+ 2))
    middle = Self.moved(middle, to: value, up: 0.5 * gain, down: 0.5 * gain)
    high = Self.moved(high, to: value, up: 0.95 * gain, down: 0.05 * gain)
    high = max(high, middle)
  }

  /// The quantile, moved one step toward a distance but never beyond it.
  private static func moved(_ quantile: Float, to value: Float, up: Float, down: Float) -> Float {
    value > quantile ? min(value, quantile * exp(up) + 0.05 * up * value) : max(value, quantile * exp(-down))
  }
}
