package import Resilience

/// The constants of a delivery machine.
package struct DeliveryConfiguration: Sendable, Hashable {
  /// Maximum events in memory; at least 1.
  package var maxQueueEvents = 2000
  /// Maximum bytes of events in memory.
  package var maxQueueBytes = 5 << 20
  /// Maximum events on disk; 0 disables the disk.
  package var maxDiskEvents = 10_000
  /// The interval between the timer's flushes.
  package var flushInterval = Duration.seconds(10)
  /// Number of events in memory that triggers a flush.
  package var autoFlushEvents = 20
  /// Maximum events in a batch; at least 1.
  package var batchSize = 100
  /// Number of events in memory that triggers a move to disk.
  package var diskFlushEvents = 500
  /// Bytes in memory that trigger a move to disk.
  package var diskFlushBytes = 2 << 20
  /// The time until an event in memory is on disk too.
  package var keepDelay = Duration.milliseconds(50)
  /// The minimum wait after the n-th consecutive retryable failure: 1, 2, 4, 8, 8 … s.
  package var retryFloor = Backoff(base: .seconds(1), maximum: .seconds(8))
  /// The longest wait that a server can request.
  package var longestRetryAfter = Duration.seconds(3600)
  /// The time for which the network must be up before it counts as back.
  package var onlineDebounce = Duration.seconds(2)
  /// The circuit breaker.
  package var breaker = CircuitBreaker.Configuration.delivery
  /// Maximum duration of an exchange; a transport that has not returned a second later is abandoned.
  package var timeout = Duration.seconds(8)
  /// The wait after a failed write to disk, unless the app goes to the background or the network is lost.
  package var diskRetry = Duration.seconds(1)

  package init() {}

  package var usesDisk: Bool { maxDiskEvents > 0 }
}
