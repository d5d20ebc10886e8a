package import Resilience

/// Decides what to send, store and drop, and when; performs nothing itself.
///
/// Each event returns the actions to perform, in order. A disk action (``Action/read(limit:)``, ``Action/store(_:_:)``,
/// ``Action/remove(_:)``) is answered by its event before anything else is handled, and the actions of that answer
/// precede the remaining ones.
///
/// Events have a single order: in flight, ``EventQueue/front``, the disk, ``EventQueue/back``, ``EventQueue/parked``.
/// At most one batch is in flight, and none while the breaker is open, a retry is scheduled or the network is away.
///
/// There is one exception: a flush skips a disk that can neither be read nor remove delivered events, because events in
/// memory would otherwise wait for a disk that may never work again. Delivered events must leave the disk before the
/// next are read, so that a crash repeats at most one batch.
package struct DeliveryMachine: Sendable {
  /// An event of the machine.
  package enum Event: Sendable, Hashable {
    /// The client is ready, with `stored` events on disk.
    case started(stored: Int, inForeground: Bool)
    /// The client is reset.
    case stopped
    /// An event was queued.
    case queued(QueuedEvent)
    /// A flush was requested.
    case flushRequested
    /// Time has passed; everything due is handled.
    case timePassed
    /// A batch has an outcome.
    case concluded(sequence: Int, Outcome)
    /// The oldest events were read from disk, with the numbers of expired and of stored events.
    case wasRead([QueuedEvent], expired: Int, stored: Int)
    /// The disk could not be read.
    case readFailed
    /// Events were stored; with their number, and the number now on disk.
    case wasStored(count: Int, stored: Int)
    /// The events were not stored, and are returned.
    case storeFailed(Place, [QueuedEvent])
    /// The oldest events were removed; with the number left on disk.
    case wasRemoved(stored: Int)
    /// The oldest events could not be removed.
    case removeFailed
    case networkLost
    case networkFound
    case enteredBackground
    case enteredForeground
    /// The process is about to end.
    case terminated
  }

  /// The outcome of a batch.
  package enum Outcome: Sendable, Hashable {
    /// The server answered; `retryAfter` is the requested wait.
    case answered(status: Int, retryAfter: Duration?)
    /// No answer came.
    case unanswered
    /// Never sent, because it cannot be encoded.
    case notEncodable
  }

  /// The end of the disk queue at which events are stored.
  package enum Place: String, Sendable, Hashable {
    case beforeOldest, behindNewest
  }

  /// An action to take.
  package enum Action: Sendable, Hashable {
    /// Read the oldest events; answer with `wasRead` or `readFailed`.
    case read(limit: Int)
    /// Store events; answer with `wasStored` or `storeFailed`.
    case store(Place, [QueuedEvent])
    /// Remove the oldest events; answer with `wasRemoved` or `removeFailed`.
    case remove(Int)
    /// Remove everything from the disk.
    case clearDisk
    /// Post a batch; answer with `concluded`.
    case send(Batch)
    /// Cancel the exchange of that batch; its outcome no longer counts.
    case cancel(sequence: Int)
    /// Count events as dropped, and report it.
    case drop(DropCause, [String], count: Int)
    /// Count events as delivered.
    case delivered(count: Int)
    /// The server refused this client permanently.
    case disable(status: Int)
    /// Resume callers waiting for the flush.
    case endFlush
  }

  /// A batch to post.
  package struct Batch: Sendable, Hashable {
    package let sequence: Int
    package let source: Source
    package let events: [QueuedEvent]
    /// 1, plus the number of consecutive retryable failures before it.
    package let attempt: Int
    /// The maximum batch size when it was created.
    package let maxBatchSize: Int
  }

  /// The origin of a batch's events.
  package enum Source: String, Sendable, Hashable, Codable {
    case memory, disk
  }

  package struct InFlight: Sendable, Hashable {
    package var batch: Batch
    /// The place of its events in the meantime.
    package var source: Source
    /// Events of the batch at the front of the disk, expired ones included.
    package var stored = 0
    /// Expired events among those.
    package var expired = 0
    /// Events of the batch dropped from a full disk in the meantime.
    package var lost = 0
    /// The time at which the transport is abandoned.
    package var deadline: Duration
  }

  package enum Phase: String, Sendable, Hashable {
    case stopped, running, disabled
  }

  /// The step that a flush waits for.
  enum FlushStep: Sendable, Hashable {
    /// No flush.
    case none
    /// The disk is storing events.
    case storing
    /// Delivered events are leaving the disk.
    case removal
    /// The disk is reading its oldest events.
    case reading
    /// The batch in flight.
    case outcome
  }

  /// The events to store, of those not on disk.
  enum StoreScope: Sendable, Hashable {
    case memory
    /// Memory and events in flight.
    case everything
  }

  package enum Network: Sendable, Hashable {
    case online, offline
    /// The network is back, and counts as online from this time on.
    case returning(at: Duration)
  }

  package internal(set) var configuration: DeliveryConfiguration
  package internal(set) var phase = Phase.stopped
  package internal(set) var network = Network.online
  package internal(set) var isForeground = true
  package internal(set) var queue = EventQueue()
  package internal(set) var inFlight: InFlight?
  package internal(set) var breaker: CircuitBreaker
  /// Current maximum batch sizes, by origin of the events.
  package internal(set) var memoryBatchSize: Int
  package internal(set) var diskBatchSize: Int
  /// Consecutive retryable failures.
  package internal(set) var failures = 0
  /// The time of the next attempt; while set, no other attempt is made.
  package internal(set) var retryAt: Duration?
  /// No request is sent before this time, whatever its cause: the wait after the last failure.
  package internal(set) var notBefore: Duration?
  /// The end of the pause that the server requested; unlike the rest of the wait, it outlives the background.
  var askedUntil: Duration?
  /// The next flush of the timer.
  package internal(set) var timerAt: Duration?
  /// The step that the flush waits for.
  var step = FlushStep.none

  /// Events in the files, including delivered and dropped ones.
  var diskCount = 0
  /// Delivered or dropped events at the front of the disk that have yet to be removed.
  var owedRemovals = 0
  /// Those being removed, until the disk answers.
  var removing = 0
  /// Events being stored, until the disk answers.
  var storing = 0
  /// The time at which events are stored that only memory holds.
  var keepAt: Duration?
  /// Events queued since a flush began.
  var queuedSinceFlush = 0
  /// Consecutive single events that the server refused.
  var refusals = 0
  /// No write is attempted before this time.
  var diskRetryAt: Duration?
  /// True if the flush in progress skips the disk because it cannot be read.
  var skipsDisk = false
  /// The scope to store as soon as owed removals are done.
  var pendingStore: StoreScope?
  /// Events in flight at the front of those being stored.
  var storingInFlight = 0
  var lastSequence = 0

  package init(_ configuration: DeliveryConfiguration = DeliveryConfiguration()) {
    self.configuration = configuration
    breaker = CircuitBreaker(configuration.breaker)
    memoryBatchSize = max(1, configuration.batchSize)
    diskBatchSize = max(1, configuration.batchSize)
  }

  /// True during a flush.
  package var isFlushing: Bool { step != .none }

  /// Events on disk, without those to be removed.
  package var stored: Int { max(0, diskCount - owedRemovals) }

  /// Events in memory, in flight and on disk: all accepted ones that are neither delivered nor dropped.
  package var waiting: Int {
    let flying = inFlight.map { $0.source == .memory ? $0.batch.events.count : $0.lost } ?? 0
    return queue.total + stored + flying
  }

  /// The next time at which ``Event/timePassed`` has something to do.
  package var nextDeadline: Duration? {
    var deadlines = [timerAt, retryAt, keepAt, inFlight?.deadline].compactMap(\.self)
    if case .returning(let moment) = network { deadlines.append(moment) }
    return deadlines.min()
  }

  /// Handles an event and returns the actions to take.
  ///
  /// - Parameters:
  ///   - now: The time on a monotonic clock.
  ///   - generator: The source of randomness for the breaker's cooldown.
  package mutating func handle(
    _ event: Event, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    defer { armKeeping(at: now) }
    return switch event {
    case .started(let stored, let inForeground): started(stored: stored, inForeground: inForeground, at: now)
    case .stopped: stopped()
    case .queued(let event): queued(event, at: now)
    case .flushRequested: flush(at: now)
    case .timePassed: timePassed(at: now, using: &generator)
    case .concluded(let sequence, let outcome):
      concluded(sequence, outcome, at: now, using: &generator)
    case .wasRead(let events, let expired, let stored):
      wasRead(events, expired: expired, stored: stored, at: now)
    case .readFailed: readFailed(at: now)
    case .wasStored(let count, let stored): wasStored(count, stored: stored, at: now)
    case .storeFailed(let place, let events): storeFailed(place, events, at: now)
    case .wasRemoved(let stored): wasRemoved(stored: stored, at: now)
    case .removeFailed: removeFailed(at: now)
    case .networkLost: networkLost(at: now)
    case .networkFound: networkFound(at: now)
    case .enteredBackground: enteredBackground(at: now)
    case .enteredForeground: enteredForeground(at: now)
    case .terminated: terminated()
    }
  }
}
