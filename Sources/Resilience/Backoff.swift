/// How long to wait after the n-th failure in a row.
///
/// The wait is `base × multiplier`, where the multiplier starts at 1, grows by ``factor`` and stops at ``cap``; chance
/// moves it by ``jitter``, and no wait is longer than ``maximum``. With the values of the sync engine (30 s, doubling,
/// cap 10, at most 300 s) that is:
///
/// | failure | 1 | 2 | 3 | 4 | 5 | 6 |
/// |---|---|---|---|---|---|---|
/// | seconds | 30 | 60 | 120 | 240 | 300 | 300 |
///
/// Nothing that is passed in can make the arithmetic overflow.
public struct Backoff: Hashable, Sendable {
  /// The first wait; never negative.
  public let base: Duration
  /// By how much each wait is longer than the one before; at least 1.
  public let factor: Double
  /// The largest multiplier of ``base``; at least 1 and finite, so that it can be recorded.
  public let cap: Double
  /// The longest wait; never negative.
  public let maximum: Duration
  /// How far a wait is moved by chance, as a part of it, between 0 and 1: 0.2 is ± 20 %.
  public let jitter: Double

  /// A way to wait; values out of range are moved to its next end.
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

  /// The wait of a multiplier.
  ///
  /// - Parameters:
  ///   - multiplier: How many times ``base``; taken as 1 below that.
  ///   - atLeast: What the other side asked for (untrusted); ``maximum`` limits that too.
  ///   - generator: Where the chance comes from; asked only if there is ``jitter``.
  public func wait(
    multiplier: Double, atLeast: Duration = .zero, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    let shift = jitter > 0 ? 1 + jitter * Double.random(in: -1...1, using: &generator) : 1
    let scale = Self.bounded(multiplier, from: 1, to: cap) * shift
    return min(maximum, max(atLeast, scaled(by: scale)))
  }

  /// `base × scale`, or ``maximum`` where that is less: the product itself might not fit a `Duration`.
  private func scaled(by scale: Double) -> Duration {
    guard base > .zero else { return .zero }
    return scale < maximum / base ? base * scale : maximum
  }

  /// `value` within bounds; no number counts as the lower one.
  private static func bounded(_ value: Double, from low: Double, to high: Double) -> Double {
    value > low ? min(value, high) : low
  }
}
