/// The constants of a client that a scenario may change, as they are recorded in `delivery`/`configuration` of a simulation.
public struct DeliveryConstants: Codable, Hashable, Sendable {
  /// Time between two flushes of the timer, in seconds.
  package var flushIntervalSeconds = 10
  /// Events in memory.
  package var maxQueueEvents = 2000
  /// Events on disk; 0 means memory alone, which is decided when a process starts.
  package var maxDiskEvents = 10_000
  /// Events in memory that are moved to disk.
  package var diskFlushEvents = 500
  /// Events of the largest batch.
  package var batchSize = 100
  /// Failures in a row that open the breaker.
  package var breakerFailures = 3
  /// How long the breaker is open for the first time, in seconds.
  package var breakerSeconds = 10
  /// True if the client makes events of its own life; decided when a process starts.
  package var trackLifecycleEvents = false

  package init() {}
}
