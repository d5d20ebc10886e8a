import Essentials

/// How far a statistic usually is from where it is expected: two running quantiles of the distances.
///
/// Each quantile is moved by a step at every distance, up or down so that the steps balance at it (stochastic
/// approximation, Robbins and Monro 1951; Tierney 1983 for quantiles), on a logarithmic scale. Replaces the
/// MAD of the last 240 distances (960 bytes) of the trial; the 95th percentile beside it pays for what is
/// rare but usual: bursts, restarts, a job every minute.
struct SpreadEstimate: Sendable, Equatable {
  /// The median distance and the 95th percentile; 0 before the first distance.
  private var middle: Float = 0
  private var high: Float = 0
  private(set) var count: Int32 = 0

  private static let smallest: Float = 1e-6

  /// The standard deviation that the distances would have under a normal distribution, by whichever quantile
  /// is farther.
  var deviation: Float { max(1.4826 * middle, 0.51 * high) }

  /// The variance by the median distance alone.
  var middleSquared: Float { 2.198 * middle * middle }

  mutating func add(_ distance: Float, gain least: Float) {
    let value = max(Self.smallest, min(abs(distance), 1e6))
    count = min(count &+ 1, 1 << 20)
    // The first may be zero by chance, from where no factor leads away.
    guard count > 4 else {
      middle = max(middle, value)
      return high = 2 * middle
    }
    let gain = max(least, 4 / Float(count &+ 2))
    middle = Self.moved(middle, to: value, up: 0.5 * gain, down: 0.5 * gain)
    high = Self.moved(high, to: value, up: 0.95 * gain, down: 0.05 * gain)
    high = max(high, middle)
  }

  /// A quantile a step nearer to a distance, never beyond it.
  private static func moved(_ quantile: Float, to value: Float, up: Float, down: Float) -> Float {
    value > quantile ? min(value, quantile * exp(up) + 0.05 * up * value) : max(value, quantile * exp(-down))
  }
}
