extension CircuitBreaker {
  /// The settings that make a breaker that of one engine or another.
  public struct Configuration: Hashable, Sendable {
    /// Failures in a row that open the breaker; at least 1.
    public let threshold: Int
    /// How long it stays open, and how that grows from trip to trip.
    public let backoff: Backoff
    /// How many calls are let through at once after the cooldown; at least 1.
    public let halfOpenSlots: Int
    /// Suggested wait for a caller refused while all slots are taken.
    public let halfOpenWait: Duration
    /// True if the growth of the cooldown outlives a reset by hand.
    public let resetKeepsGrowth: Bool
    /// Value of ``CircuitBreaker/consecutiveFailures`` after a trip; below ``threshold``.
    public let failuresAfterTrip: Int

    /// A configuration; values out of range are moved to its next end.
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

    /// The sync engine's: counts answers of 429 only, and all calls of one run go through while half-open.
    ///
    /// After a trip the failures stay at 2: one more of them trips again, one acknowledgement restores everything.
    public static let sync = Self(
      backoff: Backoff(base: .seconds(30), cap: 10, maximum: .seconds(300)), halfOpenSlots: .max,
      resetKeepsGrowth: true, failuresAfterTrip: 2)

    /// The event client's: counts any failure that is worth repeating.
    public static let delivery = Self(
      backoff: Backoff(base: .seconds(10), maximum: .seconds(120), jitter: 0.2))
  }
}
