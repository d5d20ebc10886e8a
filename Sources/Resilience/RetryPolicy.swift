/// When a failed attempt is repeated, if at all.
///
/// ```swift
/// let policy = RetryPolicy(attempts: 5, backoff: Backoff(base: .seconds(1), maximum: .seconds(8)))
/// switch policy.decision(afterFailure: 2, using: &generator) {
/// case .retry(let wait): …  // 2 s
/// case .giveUp: …
/// }
/// ```
public struct RetryPolicy: Hashable, Sendable {
  /// The next step after a failure.
  public enum Decision: Hashable, Sendable {
    /// Try again when so much time has passed.
    case retry(after: Duration)
    /// The last attempt has failed.
    case giveUp
  }

  /// How many failures are counted before giving up; at least 1.
  public let attempts: Int
  /// How the waits grow.
  public let backoff: Backoff

  /// A policy with that number of attempts.
  public init(attempts: Int = 5, backoff: Backoff) {
    self.attempts = max(1, attempts)
    self.backoff = backoff
  }

  /// Decides after a counted failure.
  ///
  /// - Parameters:
  ///   - count: The failures so far, this one included.
  ///   - retryAfter: What the other side asked for (untrusted); the longest wait of ``backoff`` limits it.
  ///   - generator: Where the chance comes from.
  public func decision(
    afterFailure count: Int, retryAfter: Duration? = nil, using generator: inout some RandomNumberGenerator
  ) -> Decision {
    guard count < attempts else { return .giveUp }
    let multiplier = backoff.multiplier(ofWait: count)
    return .retry(
      after: backoff.wait(multiplier: multiplier, atLeast: retryAfter ?? .zero, using: &generator))
  }
}
