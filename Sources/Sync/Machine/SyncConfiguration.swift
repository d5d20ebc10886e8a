public import Resilience

/// The constants of an engine.
public struct SyncConfiguration: Hashable, Sendable {
  /// Maximum changes in one request, for kinds that are pushed in batches; a kind can have a lower limit.
  public var batchSize = 50
  /// Maximum changes in one page of the feed.
  public var changePage = 100
  /// Maximum pages of all lists in one full fetch.
  public var maxPages = 100_000
  /// Counted failures that make a mutation a dead letter.
  public var attempts = 5
  /// The breaker's threshold and backoff.
  public var breaker = CircuitBreaker.Configuration.sync
  /// Maximum wait of a forced resync for an active run.
  public var resyncWait = Duration.seconds(30)
  /// The wait before the engine's next run of its own, after a run that ended without an answer, or whose probe failed
  /// while changes are pending.
  public var retry = Backoff(base: .seconds(1), cap: 86_400, maximum: .seconds(60), jitter: 0.2)
  /// The delay of a mutation after its n-th counted failure, so that quick runs cannot use up its attempts.
  public var attemptDelay = Backoff(base: .seconds(30), cap: 86_400, maximum: .seconds(3600))
  /// The delay between a queued change and the engine's run for it; `nil` for no such run.
  public var queueDelay: Duration? = .seconds(2)
  /// Maximum duration of a call to the server.
  public var callDeadline = Duration.seconds(60)
  /// Maximum duration of a run.
  public var runDeadline = Duration.seconds(600)
  /// Maximum rows in the history.
  public var historyRows = 10

  /// The longest wait between two runs that a server can request.
  static let longestRetryAfter = Duration.seconds(3600)

  /// Creates the default constants.
  public init() {}
}
