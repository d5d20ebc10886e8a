public import Resilience

/// The constants of an engine.
public struct SyncConfiguration: Hashable, Sendable {
  /// Creates in one request, for kinds that are pushed in batches, unless the kind has a lower bound.
  public var batchSize = 50
  /// Changes in one page of the feed.
  public var changePage = 100
  /// Counted failures after which a mutation is a dead letter.
  public var attempts = 5
  /// When the breaker trips and for how long.
  public var breaker = CircuitBreaker.Configuration.sync
  /// How long a forced resync waits for an active run.
  public var resyncWait = Duration.seconds(30)
  /// Rows in the history.
  public var historyRows = 10

  /// The default constants.
  public init() {}
}
