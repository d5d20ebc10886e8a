public import Resilience

/// The constants of an engine.
public struct SyncConfiguration: Hashable, Sendable {
  /// Changes in one request, for kinds that are pushed in batches, unless the kind has a lower bound.
  public var batchSize = 50
  /// Changes in one page of the feed.
  public var changePage = 100
  /// Counted failures after which a mutation is a dead letter.
  public var attempts = 5
  /// When the breaker trips and for how long.
  public var breaker = CircuitBreaker.Configuration.sync
  /// How long a forced resync waits for an active run.
  public var resyncWait = Duration.seconds(30)
  /// How long the engine waits before it makes the next run by itself, after a run that ended without an answer, or
  /// whose probe failed while changes wait.
  public var retry = Backoff(base: .seconds(1), cap: 86_400, maximum: .seconds(60), jitter: 0.2)
  /// How long a mutation is left out after its n-th counted failure, so that quick runs cannot use up its attempts.
  public var attemptDelay = Backoff(base: .seconds(30), cap: 86_400, maximum: .seconds(3600))
  /// How long after a change was queued the engine asks for a run by itself; `nil` for never.
  public var queueDelay: Duration? = .seconds(2)
  /// How long a call to the server may take.
  public var callDeadline = Duration.seconds(60)
  /// How long a run may take.
  public var runDeadline = Duration.seconds(600)
  /// Rows in the history.
  public var historyRows = 10

  /// The longest wait that a server can ask for between two runs.
  static let longestRetryAfter = Duration.seconds(3600)

  /// The default constants.
  public init() {}
}
