/// Measurements of a sync engine, over one signposter of the category ``category``.
///
/// ```swift
/// let metrics = SyncSignposts(Signposter(category: SyncSignposts.category))
/// let run = metrics.begin(.fullSync)
/// metrics.record(.success)
/// metrics.end(.fullSync, run)
/// ```
public struct SyncSignposts: Sendable {
  /// The five intervals.
  public enum Interval: Hashable, Sendable, CaseIterable {
    /// A whole sync run.
    case fullSync
    /// The probe within a run.
    case healthCheck
    /// The push.
    case flushMutations
    /// The incremental pull.
    case pullChanges
    /// The bootstrap.
    case bootstrapFetch

    /// The single constant used by begin and end.
    public var name: StaticString {
      switch self {
      case .fullSync: "FullSync"
      case .healthCheck: "HealthCheck"
      case .flushMutations: "FlushMutations"
      case .pullChanges: "PullChanges"
      case .bootstrapFetch: "BootstrapFetch"
      }
    }
  }

  /// The five events.
  public enum Event: Hashable, Sendable, CaseIterable {
    /// A 429 response.
    case rateLimitHit
    /// A mutation kept after a counted failure.
    case retryAttempt
    /// The breaker opened.
    case circuitBreakerTrip
    /// A run that passed the gate succeeded.
    case success
    /// A run that passed the gate failed.
    case failure

    /// The recorded name.
    public var name: StaticString {
      switch self {
      case .rateLimitHit: "RateLimitHit"
      case .retryAttempt: "RetryAttempt"
      case .circuitBreakerTrip: "CircuitBreakerTrip"
      case .success: "SyncSuccess"
      case .failure: "SyncFailure"
      }
    }
  }

  /// The category of the engine's signposter.
  public static let category = "SyncEngine"

  /// Receives all records.
  public let signposter: Signposter

  /// Measures through a signposter, usually of the category ``category``.
  public init(_ signposter: Signposter) {
    self.signposter = signposter
  }

  /// Begins an interval; pass the result to its single end.
  public func begin(_ interval: Interval) -> SignpostIntervalState {
    signposter.beginInterval(interval.name)
  }

  /// Ends an interval.
  public func end(
    _ interval: Interval, _ state: SignpostIntervalState, message: @autoclosure () -> String? = nil
  ) {
    signposter.endInterval(interval.name, state, message())
  }

  /// Records an event.
  public func record(_ event: Event, message: @autoclosure () -> String? = nil) {
    signposter.emitEvent(event.name, message())
  }

  /// Records the number of mutations kept for another attempt; does nothing if it is zero.
  public func recordRetry(count: Int) {
    if count > 0 { signposter.emitEvent(Event.retryAttempt.name, count: count) }
  }
}
