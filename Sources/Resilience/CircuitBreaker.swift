/// Keeps calls away from a server that cannot handle them, for increasingly long times.
///
/// A pure value without side effects: the time, on any scale that does not go backwards, and the randomness come in as
/// parameters. Ask ``permit(at:)`` before a call and report its end with one of the `record…` methods or
/// ``releaseProbe()``.
///
/// | state | input | result |
/// |---|---|---|
/// | closed | permit | allowed |
/// | closed | failure | failures + 1; at the threshold a trip |
/// | open | permit before the end | refused, with the time that remains |
/// | open | permit after the end | half-open with all slots free, then as half-open |
/// | open | failure (of a call from before) | not counted; the end never comes sooner |
/// | half-open | permit | a free slot is taken; otherwise refused, with a short wait |
/// | half-open | failure | a trip |
/// | any | success | closed; failures, slots and growth forgotten |
/// | half-open | another answer | closed, since the server is reachable; the growth stays |
/// | closed | another answer | failures 0 |
/// | any | reset | closed; the growth as configured |
///
/// A trip opens the breaker for the backoff's wait, or for the server's `Retry-After` if that is longer, and multiplies
/// the next wait: with ``Configuration/sync`` 30, 60, 120, 240, 300, 300 … s.
///
/// ```swift
/// var breaker = CircuitBreaker(.delivery)
/// guard case .allowed = breaker.permit(at: clock.now) else { return }
/// if case .tripped(let cooldown) = breaker.recordFailure(at: clock.now, using: &generator) { wait(cooldown) }
/// ```
public struct CircuitBreaker: Hashable, Sendable {
  /// The state of the breaker at a point in time.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Calls go through.
    case closed
    /// No call goes through before the cooldown is over.
    case open
    /// The cooldown is over: a few calls are allowed as probes.
    case halfOpen
  }

  /// The result of a failure.
  public enum Outcome: Hashable, Sendable {
    /// The number of consecutive failures so far.
    case counted(Int)
    /// The breaker opened for this long.
    case tripped(for: Duration)
  }

  /// The answer to a request for a call.
  public enum Permission: Hashable, Sendable {
    /// The call is allowed; its end must be reported.
    case allowed
    /// The call is refused; ask again after this time.
    case refused(remaining: Duration)
  }

  private enum Phase: Hashable, Sendable {
    case closed
    case open(until: Duration)
    case halfOpen(taken: Int)
  }

  /// The configuration; a change takes effect with the next call.
  public var configuration: Configuration
  /// Number of consecutive failures; after a trip, ``Configuration/failuresAfterTrip``.
  public private(set) var consecutiveFailures = 0
  /// The multiplier of the next cooldown; at least 1.
  public private(set) var multiplier = 1.0
  private var phase = Phase.closed

  /// A closed breaker.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// The end of the cooldown, past or future; `nil` once a call was allowed or the breaker was closed.
  public var until: Duration? {
    switch phase {
    case .open(let until): until
    case .closed, .halfOpen: nil
    }
  }

  /// The state at a time; reading it changes nothing.
  public func state(at now: Duration) -> State {
    switch phase {
    case .closed: .closed
    case .open(let until): now.bounded() < until ? .open : .halfOpen
    case .halfOpen: .halfOpen
    }
  }

  /// The remaining cooldown; 0 unless open.
  public func remaining(at now: Duration) -> Duration {
    switch phase {
    case .open(let until): max(.zero, until - now.bounded())
    case .closed, .halfOpen: .zero
    }
  }

  /// Asks for one call.
  public mutating func permit(at now: Duration) -> Permission {
    switch phase {
    case .closed:
      return .allowed
    case .open(let until) where now.bounded() < until:
      return .refused(remaining: remaining(at: now))
    case .open:
      // The call that finds the cooldown over becomes the first probe.
      phase = .halfOpen(taken: 1)
      return .allowed
    case .halfOpen(let taken):
      guard taken < configuration.halfOpenSlots else {
        return .refused(remaining: configuration.halfOpenWait)
      }
      phase = .halfOpen(taken: taken + 1)
      return .allowed
    }
  }

  /// Records a failure that counts.
  ///
  /// - Parameters:
  ///   - now: The time of the failure.
  ///   - retryAfter: The wait that the server requested (untrusted); limited to the longest wait of the backoff.
  ///   - generator: The source of randomness for the cooldown.
  public mutating func recordFailure(
    at now: Duration, retryAfter: Duration? = nil, using generator: inout some RandomNumberGenerator
  ) -> Outcome {
    switch phase {
    case .closed:
      consecutiveFailures += 1
      guard consecutiveFailures >= configuration.threshold else { return .counted(consecutiveFailures) }
      return trip(at: now, retryAfter: retryAfter, using: &generator)
    case .open(let until) where now.bounded() < until:
      // A late response, from before the trip: its only news is how long the server asks to wait.
      let asked = min(configuration.backoff.maximum, retryAfter ?? .zero)
      phase = .open(until: max(until, now.bounded() + asked.bounded()))
      return .counted(consecutiveFailures)
    case .open, .halfOpen:
      return trip(at: now, retryAfter: retryAfter, using: &generator)
    }
  }

  /// Records a success, so the server works again.
  public mutating func recordSuccess() {
    phase = .closed
    consecutiveFailures = 0
    multiplier = 1
  }

  /// Records any other response that a retry would not change: the server is reachable.
  public mutating func recordOtherAnswer() {
    switch phase {
    case .closed, .halfOpen:
      phase = .closed
      consecutiveFailures = 0
    case .open:
      break
    }
  }

  /// Records that an allowed call ended without a response, for instance cancelled: another one may try.
  public mutating func releaseProbe() {
    if case .halfOpen(let taken) = phase { phase = .halfOpen(taken: max(0, taken - 1)) }
  }

  /// Closes the breaker manually; harmless if it is closed.
  public mutating func reset() {
    phase = .closed
    consecutiveFailures = 0
    if !configuration.resetKeepsGrowth { multiplier = 1 }
  }

  private mutating func trip(
    at now: Duration, retryAfter: Duration?, using generator: inout some RandomNumberGenerator
  ) -> Outcome {
    let backoff = configuration.backoff
    let cooldown = backoff.wait(multiplier: multiplier, atLeast: retryAfter ?? .zero, using: &generator)
    multiplier = backoff.multiplier(after: multiplier)
    consecutiveFailures = configuration.failuresAfterTrip
    phase = .open(until: now.bounded() + cooldown)
    return .tripped(for: cooldown)
  }
}
