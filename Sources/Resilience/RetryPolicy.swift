/// The decision to retry a failed attempt, and when.
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
    /// Try again after this time.
    case retry(after: Duration)
    /// The last attempt has failed.
    case giveUp
  }

  /// Maximum number of attempts, including the first one; at least 1.
  public let attempts: Int
  /// The waits between attempts.
  public let backoff: Backoff

  /// A policy with that number of attempts.
  public init(attempts: Int = 5, backoff: Backoff) {
    self.attempts = max(1, attempts)
    self.backoff = backoff
  }

  /// Decides after a counted failure.
  ///
  /// - Parameters:
  ///   - count: The number of failures so far, including this one.
  ///   - retryAfter: The wait that the other side requested (untrusted); limited to the longest wait of ``backoff``.
  ///   - generator: The source of randomness.
  public func decision(
    afterFailure count: Int, retryAfter: Duration? = nil, using generator: inout some RandomNumberGenerator
  ) -> Decision {
    guard count < attempts else { return .giveUp }
    let multiplier = backoff.multiplier(ofWait: count)
    return .retry(
      after: backoff.wait(multiplier: multiplier, atLeast: retryAfter ?? .zero, using: &generator))
  }
}
