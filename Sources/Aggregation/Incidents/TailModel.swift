import Essentials

/// The tail of a distribution: the distances too large to be explained by chance.
///
/// Peaks over threshold: excesses over the 95th percentile follow a generalized Pareto distribution (Pickands 1975),
/// fitted by its moments (Hosking and Wallis 1987), as in SPOT (Siffer et al., KDD 2017). The percentile is a running
/// estimate (Robbins and Monro 1951) and the moments decay, so no values are stored. Only the part of the shape beyond
/// two standard errors counts. Without this rule, the limits for exponential gaps were up to twice as high as they
/// should be, and a silence of 20 gaps was missed.
struct TailModel: Sendable, Equatable {
  private static let share: Float = 0.05
  /// Number of excesses averaged over.
  private static let memory: Float = 500
  private static let warmUp: Int32 = 60
  /// Standard errors subtracted from the shape.
  private static let doubt: Float = 2
  /// Maximum distance, at which zeros on a logarithmic scale are capped.
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

  /// Updates the percentile with a distance, and learns its excess.
  @inline(__always)
  mutating func add(_ distance: Float, cap: Float = farthest) {
    count = min(count &+ 1, 1 << 24)
    if count == 1 { threshold = max(1e-6, distance) }
    if distance > threshold { addExcess(min(distance, cap)) } else { threshold *= isReady ? 0.9990 : 0.995 }
  }

  private mutating func addExcess(_ distance: Float) {
    let excess = distance - threshold
    // Starts from the largest of the first twenty distances.
    threshold = count < 20 ? distance : threshold * (isReady ? 1.0192 : 1.1)
    guard count > Self.warmUp / 2 else { return largest = max(largest, distance) }
    excesses = min(excesses + 1, Self.memory)
    mean += (excess - mean) / excesses
    square += (excess * excess - square) / excesses
    largest = max(distance, largest * 0.9995)
  }

  /// The distance exceeded by chance with the given probability; infinite during warm-up.
  func limit(chance: Float) -> Float {
    guard isReady else { return .infinity }
    guard excesses >= 12, mean > 0 else { return max(largest, threshold) * 4 }
    let variance = max(square - mean * mean, 1e-6 * mean * mean)
    let ratio = mean * mean / variance
    let shape = max(0, min(0.5, (1 - ratio) / 2 - Self.doubt / excesses.squareRoot()))
    let scale = mean * (1 - shape)
    // With few excesses even the mean is uncertain: the predictive distribution is a Pareto with this shape.
    let wide = max(shape, 1 / excesses)
    let odds = max(1, Self.share / max(chance, 1e-30))
    let beyond = scale / wide * (pow(odds, wide) - 1)
    return max(threshold + beyond, largest + 2 * mean)
  }
}
