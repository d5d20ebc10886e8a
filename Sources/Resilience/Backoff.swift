/// How long to wait after the n-th failure in a row.
///
/// The wait is `base × multiplier`, where the multiplier starts at 1, grows by ``factor`` and stops at ``cap``; no wait
/// is longer than ``maximum``. With the values of the sync engine (30 s, doubling, cap 10, at most 300 s) that is:
///
/// | failure | 1 | 2 | 3 | 4 | 5 | 6 |
/// |---|---|---|---|---|---|---|
/// | seconds | 30 | 60 | 120 | 240 | 300 | 300 |
public struct Backoff: Hashable, Sendable {
  /// The first wait.
  public let base: Duration
  /// By how much each wait is longer than the one before.
  public let factor: Double
  /// The largest multiplier of ``base``.
  public let cap: Double
  /// The longest wait.
  public let maximum: Duration
  /// How far a wait is moved by chance, as a part of it: 0.2 is ± 20 %.
  public let jitter: Double

  /// A way to wait.
  public init(
    base: Duration, factor: Double = 2, cap: Double = .infinity, maximum: Duration, jitter: Double = 0
  ) {
    self.base = base
    self.factor = factor
    self.cap = cap
    self.maximum = maximum
    self.jitter = jitter
  }
}
