import Essentials

/// The far end of a distribution: which distances are so large that chance does not explain them.
///
/// Peaks over a threshold: what exceeds the 95th percentile follows a generalized Pareto distribution
/// (Pickands 1975), fitted by its moments (Hosking and Wallis 1987), as in SPOT (Siffer et al., KDD 2017).
/// The percentile runs along (Robbins and Monro 1951) and the moments decay, so nothing is stored. The shape
/// counts only as far as it is larger than its standard error: without that, gaps that are exponential had
/// limits of up to twice what they should be, and a silence of 20 gaps was missed.
struct TailModel: Sendable, Equatable {
  private static let share: Float = 0.05
  /// Excesses that are averaged over.
  private static let memory: Float = 500
  private static let warmUp: Int32 = 60
  /// Standard errors that are taken off the shape.
  private static let doubt: Float = 2
  /// Beyond this a distance counts as this: zeros on a logarithmic scale.
  static let farthest: Float = 20

  /// The 95th percentile.
  private(set) var threshold: Float = 0
  private var count: Int32 = 0
  private var excesses: Float = 0
  private var mean: Float = 0
  private var square: Float = 0
  /// The largest distance, forgotten slowly.
  private(set) var largest: Float = 0

  var isReady: Bool { count >= Self.warmUp }

  /// Moves the percentile by one distance, and learns its excess.
  @inline(__always)
  mutating func add(_ distance: Float, cap: Float = farthest) {
    count = min(count &+ 1, 1 << 24)
    if count == 1 { threshold = max(1e-6, distance) }
    if distance > threshold { addExcess(min(distance, cap)) } else { threshold *= isReady ? 0.9990 : 0.995 }
  }

  private mutating func addExcess(_ distance: Float) {
    let excess = distance - threshold
    // The largest of the first twenty is a start.
    threshold = count < 20 ? distance : threshold * (isReady ? 1.0192 : 1.1)
    guard count > Self.warmUp / 2 else { return largest = max(largest, distance) }
    excesses = min(excesses + 1, Self.memory)
    mean += (excess - mean) / excesses
    square += (excess * excess - square) / excesses
    largest = max(distance, largest * 0.9995)
  }

  /// The distance that is exceeded by chance with a probability only.
  func limit(chance: Float) -> Float {
    guard isReady else { return .infinity }
    guard excesses >= 12, mean > 0 else { return max(largest, threshold) * 4 }
    let variance = max(square - mean * mean, 1e-6 * mean * mean)
    let ratio = mean * mean / variance
    let shape = max(0, min(0.5, (1 - ratio) / 2 - Self.doubt / excesses.squareRoot()))
    let scale = mean * (1 - shape)
    // Of few excesses not even the mean is known: the predictive distribution is a Pareto with this shape.
    let wide = max(shape, 1 / excesses)
    let odds = max(1, Self.share / max(chance, 1e-30))
    let beyond = scale / wide * (pow(odds, wide) - 1)
    return max(threshold + beyond, largest + 2 * mean)
  }
}
