/// The waiting times after consecutive failures.
///
/// The wait is `base × multiplier`, where the multiplier starts at 1, grows by ``factor`` and stops at ``cap``; random
/// ``jitter`` is added, and no wait is longer than ``maximum``. With the values of the sync engine (30 s, doubling, cap
/// 10, at most 300 s) that is:
///
/// | failure | 1 | 2 | 3 | 4 | 5 | 6 |
/// |---|---|---|---|---|---|---|
/// | seconds | 30 | 60 | 120 | 240 | 300 | 300 |
///
/// No argument can make the arithmetic overflow.
public struct Backoff: Hashable, Sendable {
  /// The first wait; never negative.
  public let base: Duration
  /// The growth factor from one wait to the next; at least 1.
  public let factor: Double
  /// The largest multiplier of ``base``; at least 1 and finite, so that it can be encoded.
  public let cap: Double
  /// The longest wait; never negative.
  public let maximum: Duration
  /// Maximum random deviation of a wait, as a fraction between 0 and 1: 0.2 is ± 20 %.
  public let jitter: Double

  /// A backoff; values out of range are clamped.
  public init(
    base: Duration, factor: Double = 2, cap: Double = .infinity, maximum: Duration, jitter: Double = 0
  ) {
    self.base = base.bounded(from: .zero)
    self.factor = Self.bounded(factor, from: 1, to: .greatestFiniteMagnitude)
    self.cap = Self.bounded(cap, from: 1, to: .greatestFiniteMagnitude)
    self.maximum = maximum.bounded(from: .zero)
    self.jitter = Self.bounded(jitter, from: 0, to: 1)
  }

  /// The multiplier of the wait after the one with `multiplier`.
  public func multiplier(after multiplier: Double) -> Double {
    min(cap, factor * Self.bounded(multiplier, from: 1, to: cap))
  }

  /// The multiplier of the n-th wait in a row: ``factor`` to the power of `count` − 1, at most ``cap``.
  public func multiplier(ofWait count: Int) -> Double {
    var result = 1.0
    var power = factor
    var exponent = max(1, count) - 1
    while exponent > 0 {
      if exponent % 2 == 1 { result = min(cap, result * power) }
      power = min(cap, power * power)
      exponent /= 2
    }
    return result
  }

  /// The wait for a multiplier.
  ///
  /// - Parameters:
  ///   - multiplier: The multiple of ``base``; values below 1 count as 1.
  ///   - atLeast: The wait that the other side requested (untrusted); limited to ``maximum`` as well.
  ///   - generator: The source of randomness; used only if there is ``jitter``.
  public func wait(
    multiplier: Double, atLeast: Duration = .zero, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    let shift = jitter > 0 ? 1 + jitter * Double.random(in: -1...1, using: &generator) : 1
    let scale = Self.bounded(multiplier, from: 1, to: cap) * shift
    return min(maximum, max(atLeast, scaled(by: scale)))
  }

  /// `base × scale`, or ``maximum`` if that is less: the product itself might overflow a `Duration`.
  private func scaled(by scale: Double) -> Duration {
    guard base > .zero else { return .zero }
    return scale < maximum / base ? base * scale : maximum
  }

  /// `value` clamped to bounds; NaN counts as the lower one.
  private static func bounded(_ value: Double, from low: Double, to high: Double) -> Double {
    value > low ? min(value, high) : low
  }
}
