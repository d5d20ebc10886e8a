extension CircuitBreaker {
  /// The settings that adapt a breaker to an engine.
  public struct Configuration: Hashable, Sendable {
    /// Failures in a row that open the breaker; at least 1.
    public let threshold: Int
    /// The length of the cooldown, and its growth from trip to trip.
    public let backoff: Backoff
    /// Maximum concurrent calls after the cooldown; at least 1.
    public let halfOpenSlots: Int
    /// Suggested wait for a caller refused while all slots are taken.
    public let halfOpenWait: Duration
    /// True if a manual reset keeps the growth of the cooldown.
    public let resetKeepsGrowth: Bool
    /// Value of ``CircuitBreaker/consecutiveFailures`` after a trip; below ``threshold``.
    public let failuresAfterTrip: Int

    /// A configuration; values out of range are clamped.
    public init(
      threshold: Int = 3, backoff: Backoff, halfOpenSlots: Int = 1,
      halfOpenWait: Duration = .milliseconds(200),
      resetKeepsGrowth: Bool = false, failuresAfterTrip: Int = 0
    ) {
      self.threshold = max(1, threshold)
      self.backoff = backoff
      self.halfOpenSlots = max(1, halfOpenSlots)
      self.halfOpenWait = halfOpenWait.bounded(from: .zero)
      self.resetKeepsGrowth = resetKeepsGrowth
      self.failuresAfterTrip = min(max(0, failuresAfterTrip), self.threshold - 1)
    }

    /// The configuration of the sync engine: counts only 429 responses, and lets all calls of one run through while
    /// half-open.
    ///
    /// After a trip, the failure count stays at 2: one more failure trips it again, one acknowledgment resets
    /// everything.
    public static let sync = Self(
      backoff: Backoff(base: .seconds(30), cap: 10, maximum: .seconds(300)), halfOpenSlots: .max,
      resetKeepsGrowth: true, failuresAfterTrip: 2)

    /// The configuration of the event client: counts any failure worth retrying.
    public static let delivery = Self(
      backoff: Backoff(base: .seconds(10), maximum: .seconds(120), jitter: 0.2))
  }
}
