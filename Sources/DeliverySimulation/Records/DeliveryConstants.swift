/// The client constants that a scenario may change, as recorded in `delivery`/`configuration` of a simulation.
public struct DeliveryConstants: Codable, Hashable, Sendable {
  /// Interval of the flush timer, in seconds.
  package var flushIntervalSeconds = 10
  /// Maximum events in memory.
  package var maxQueueEvents = 2000
  /// Maximum events on disk, applied when a process starts; 0 means memory only.
  package var maxDiskEvents = 10_000
  /// Number of events in memory at which they are moved to disk.
  package var diskFlushEvents = 500
  /// Maximum events in a batch.
  package var batchSize = 100
  /// Number of consecutive failures that open the breaker.
  package var breakerFailures = 3
  /// Initial cooldown of the breaker, in seconds.
  package var breakerSeconds = 10
  /// True if the client creates lifecycle events; applied when a process starts.
  package var trackLifecycleEvents = false

  package init() {}
}
