package import Resilience

/// The constants of a delivery machine.
package struct DeliveryConfiguration: Sendable, Hashable {
  /// Events in memory; at least 1.
  package var maxQueueEvents = 2000
  /// Bytes of events in memory.
  package var maxQueueBytes = 5 << 20
  /// Events on disk; 0 means memory alone.
  package var maxDiskEvents = 10_000
  /// Time between two flushes of the timer.
  package var flushInterval = Duration.seconds(10)
  /// Events in memory that start a flush.
  package var autoFlushEvents = 20
  /// Events of the largest batch; at least 1.
  package var batchSize = 100
  /// Events in memory that are moved to disk.
  package var diskFlushEvents = 500
  /// Bytes in memory that are moved to disk.
  package var diskFlushBytes = 2 << 20
  /// The least wait after the n-th retryable failure in a row: 1, 2, 4, 8, 8 … s.
  package var retryFloor = Backoff(base: .seconds(1), maximum: .seconds(8))
  /// The longest wait that a server may ask for.
  package var longestRetryAfter = Duration.seconds(3600)
  /// How long the network has to stay before it counts as back.
  package var onlineDebounce = Duration.seconds(2)
  /// The circuit breaker.
  package var breaker = CircuitBreaker.Configuration.delivery
  /// How long one exchange may take; a transport that has not returned a second later is abandoned.
  package var timeout = Duration.seconds(8)
  /// The wait after a write to disk that failed, unless the app leaves or the network does.
  package var diskRetry = Duration.seconds(1)

  package init() {}

  package var usesDisk: Bool { maxDiskEvents > 0 }
}
