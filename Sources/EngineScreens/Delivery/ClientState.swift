package import DeliveryCore
package import DeliverySimulation
package import Platform

/// All that is known of a delivery client at one moment, folded from its record and from nothing else.
package struct ClientState: FoldedEngine {
  package typealias Record = DeliveryEntry
  package typealias Happening = EngineHappening<DeliveryEntry>

  /// How many events wait, and where.
  package struct Depth: Hashable, Sendable {
    package let memory: Int
    package let disk: Int
    package var total: Int { ClientState.sum(memory, disk) }
  }

  /// Failures in a row that are worth repeating.
  package struct Failures: Hashable, Sendable {
    package var count = 0
    /// Their reason; `nil` where they were not all the same.
    package var reason: String?
    /// The reason of the last one.
    package var last = ""
    /// The time that the endpoint asked for with the last one, in seconds.
    package var asked: Double?
  }

  /// How large batches may be, by where their events come from.
  package struct BatchSize: Hashable, Sendable {
    package var memory: Int?
    package var disk: Int?
    /// The largest that there was.
    package var first = 0
    package var halvings = 0
    /// The smallest now.
    package var now: Int { min(memory ?? first, disk ?? first) }
    package var isReduced: Bool { first > 0 && now < first }
  }

  package internal(set) var basics = EngineBasics<DeliveryEntry, DeliveryEntry>()
  /// The constants of a simulated client; those that clients usually have for an app's.
  package internal(set) var constants = DeliveryConstants()

  // The client.
  /// The state of its life; `nil` before the first entry.
  package internal(set) var lifecycle: LifecycleMachine.State?
  package internal(set) var lifecycleSince: Timestamp?
  /// `online`, `offline` or `returning`.
  package internal(set) var network = "online"
  package internal(set) var networkSince: Timestamp?
  package internal(set) var isForeground = true
  /// When the app said that its process ends; `nil` while it has not.
  package internal(set) var endedAt: Timestamp?
  /// The debug information as JSON, as it was recorded last.
  package internal(set) var debug = ""

  // The state of its sending.
  package internal(set) var queue: RecordedValue<DeliveryQueue>?
  /// When the batch began that is on its way; `nil` while none is.
  package internal(set) var flyingSince: Timestamp?
  /// True if it comes from the disk, where its events stay until they are delivered.
  package internal(set) var isFromDisk = false
  /// The lengths of the queues over time, oldest first.
  package internal(set) var depths: [RecordedValue<Depth>] = []
  package internal(set) var peak = 0
  package internal(set) var failures = Failures()
  package internal(set) var batchSize = BatchSize()
  package internal(set) var lastBatch: RecordedValue<DeliveryBatch>?
  package internal(set) var lastDelivery: RecordedValue<DeliveryBatch>?
  /// The status that disabled the client.
  package internal(set) var disabledBy: Int?
  package internal(set) var attempts = 0
  package internal(set) var deliveredBatches = 0
  package internal(set) var deliveredEvents = 0
  package internal(set) var drops: [String: Int] = [:]

  package init() {}

  /// True if anything was ever recorded of a client.
  package var isEmpty: Bool { lastTime == nil }

  /// True if a process runs, as far as that was recorded.
  package var isRunning: Bool { simulation?.alive ?? (endedAt == nil) }

  /// Events in memory; they went with the process where none runs.
  package var memory: Int { isRunning ? max(0, queue?.value.memory ?? 0) : 0 }

  /// Events on disk.
  package var disk: Int { max(0, queue?.value.disk ?? 0) }

  /// Events on their way.
  package var inFlight: Int { isRunning ? max(0, queue?.value.inFlight ?? 0) : 0 }

  /// How many events wait in memory and on disk.
  package var waiting: Int { Self.sum(memory, disk) }

  /// When the oldest event was made; `nil` where the record does not tell.
  package var oldest: Timestamp? {
    guard isRunning, let at = queue?.value.oldestAt, at.isFinite else { return nil }
    return Timestamp(at)
  }

  /// When the client sends next by itself; `nil` where it does not, or where the record does not tell.
  package var nextAttempt: Timestamp? {
    guard isRunning, let at = queue?.value.nextAt, at.isFinite else { return nil }
    return Timestamp(at)
  }

  /// True if a batch is on its way.
  package var isSending: Bool { inFlight > 0 }

  /// The sum of counts out of a file, which may be anything.
  static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
