package import DeliveryCore
package import DeliverySimulation
package import Platform

/// The known state of a delivery client at one moment, folded only from its record.
package struct ClientState: FoldedEngine {
  package typealias Record = DeliveryEntry
  package typealias Happening = EngineHappening<DeliveryEntry>

  /// The number of waiting events, and where they wait.
  package struct Depth: Hashable, Sendable {
    package let memory: Int
    package let disk: Int
    package var total: Int { ClientState.sum(memory, disk) }
  }

  /// Consecutive failures that are worth a retry.
  package struct Failures: Hashable, Sendable {
    package var count = 0
    /// Their common reason; `nil` if they differ.
    package var reason: String?
    /// The reason of the last one.
    package var last = ""
    /// The delay requested by the endpoint with the last one, in seconds.
    package var asked: Double?
  }

  /// The batch size limits, by the source of the events.
  package struct BatchSize: Hashable, Sendable {
    package var memory: Int?
    package var disk: Int?
    /// The largest limit so far.
    package var first = 0
    package var halvings = 0
    /// The smaller of the current limits.
    package var now: Int { min(memory ?? first, disk ?? first) }
    package var isReduced: Bool { first > 0 && now < first }

    /// The reduced limits, with their source unless it is both.
    var limits: [(count: Int, source: String?)] {
      let (memory, disk) = (memory ?? first, disk ?? first)
      if memory == disk { return [(memory, nil)] }
      return [(memory, "memory"), (disk, "disk")].filter { $0.0 < first }
    }
  }

  package internal(set) var basics = EngineBasics<DeliveryEntry, DeliveryEntry>()
  /// The constants of a simulated client; for an app's client, the defaults.
  package internal(set) var constants = DeliveryConstants()

  // The client itself.
  /// The state of its life cycle; `nil` before the first entry.
  package internal(set) var lifecycle: LifecycleMachine.State?
  package internal(set) var lifecycleSince: Timestamp?
  /// `online`, `offline` or `returning`.
  package internal(set) var network = "online"
  package internal(set) var networkSince: Timestamp?
  package internal(set) var isForeground = true
  /// When the app reported the end of its process; `nil` while it has not.
  package internal(set) var endedAt: Timestamp?
  /// The last recorded debug information, as JSON.
  package internal(set) var debug = ""

  // Its sending.
  package internal(set) var queue: RecordedValue<DeliveryQueue>?
  /// Start of the batch in flight; `nil` without one.
  package internal(set) var flyingSince: Timestamp?
  /// True if it comes from disk, where its events stay until they are delivered.
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
  /// The time of the last drop that the sentence tells.
  package internal(set) var lastLoss: Timestamp?
  /// True if another client uses the folder.
  package internal(set) var isFolderInUse = false
  /// Number of events that are set aside for the app.
  package internal(set) var setAside = 0
  /// The last refusal of an event that was set aside.
  package internal(set) var lastRefusal: DeliveryDrop?

  package init() {}

  /// True if no entry of a client was ever recorded.
  package var isEmpty: Bool { lastTime == nil }

  /// True if a process is running, according to the record.
  package var isRunning: Bool { simulation?.alive ?? (endedAt == nil) }

  /// Events in memory; without a process they are lost.
  package var memory: Int { isRunning ? max(0, queue?.value.memory ?? 0) : 0 }

  /// True if memory holds more than it may because the disk refuses writes.
  package var isDiskFull: Bool {
    constants.maxDiskEvents > 0 && memory > constants.maxQueueEvents && isRunning
  }

  /// Events on disk.
  package var disk: Int { max(0, queue?.value.disk ?? 0) }

  /// Events in flight.
  package var inFlight: Int { isRunning ? max(0, queue?.value.inFlight ?? 0) : 0 }

  /// Number of events waiting in memory and on disk.
  package var waiting: Int { Self.sum(memory, disk) }

  /// Creation time of the oldest event; `nil` if it is not recorded.
  package var oldest: Timestamp? {
    guard isRunning, let at = queue?.value.oldestAt, at.isFinite else { return nil }
    return Timestamp(at)
  }

  /// The client's next own attempt; `nil` if there is none or if it is not recorded.
  package var nextAttempt: Timestamp? {
    guard isRunning, let at = queue?.value.nextAt, at.isFinite else { return nil }
    return Timestamp(at)
  }

  /// The name of the cause of events that ended with a killed process.
  static let killed = "killed"

  /// True for a cause that the app did not choose.
  static func isLoss(_ cause: String) -> Bool {
    switch DropCause(rawValue: cause) {
    case .reset, .vetoed: false
    default: true
    }
  }

  /// True if a batch is in flight.
  package var isSending: Bool { inFlight > 0 }

  /// A saturating sum of counts from a file, which may hold any value.
  static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
