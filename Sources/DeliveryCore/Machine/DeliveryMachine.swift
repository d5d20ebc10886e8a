package import Resilience

/// Decides what is sent, stored and dropped, and when; performs nothing itself.
///
/// Each event returns the actions to perform, in their order. An action that asks the disk (``Action/read(limit:)``,
/// ``Action/store(_:_:)``, ``Action/remove(_:)``) is answered by its event before anything else is handled, and the
/// actions of that answer come before the remaining ones.
///
/// The order of events is one: what is in flight, ``EventQueue/front``, the disk, ``EventQueue/back``,
/// ``EventQueue/parked``. There is at most one batch in flight, and none while the breaker is open, while a retry is armed
/// or while the network is away.
///
/// One thing breaks the order: a flush skips a disk that can neither be read nor remove delivered events, because
/// events in memory would otherwise wait for a disk that may never work again. Delivered events have to
/// leave the disk before the next are read, so that a crash repeats one batch at most.
package struct DeliveryMachine: Sendable {
  /// An event of the machine.
  package enum Event: Sendable, Hashable {
    /// The client is ready, with that many stored events on disk.
    case started(stored: Int, inForeground: Bool)
    /// The client is reset.
    case stopped
    /// An event came.
    case queued(QueuedEvent)
    /// Somebody wants everything sent.
    case flushRequested
    /// Time has passed; everything due happens.
    case timePassed
    /// A batch had an outcome.
    case concluded(sequence: Int, Outcome)
    /// The oldest events were read from disk; with the number that had expired, and the number still stored.
    case wasRead([QueuedEvent], expired: Int, stored: Int)
    /// The disk could not be read.
    case readFailed
    /// Events were stored as asked: their number, and the number on disk now.
    case wasStored(count: Int, stored: Int)
    /// It is not stored: here it is again.
    case storeFailed(Place, [QueuedEvent])
    /// The oldest events were removed; the disk has this many now.
    case wasRemoved(stored: Int)
    /// They could not be removed.
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
    /// An answer; `retryAfter` is what it asked for.
    case answered(status: Int, retryAfter: Duration?)
    /// None.
    case unanswered
    /// It was never sent, because it cannot be written.
    case notEncodable
  }

  /// Where stored events go.
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
    /// Remove all that is on disk.
    case clearDisk
    /// Post a batch; answer with `concluded`.
    case send(Batch)
    /// Give up the exchange of that batch; its outcome no longer counts.
    case cancel(sequence: Int)
    /// Count events as abandoned, and say so.
    case drop(DropCause, [String], count: Int)
    /// Count events as delivered.
    case delivered(count: Int)
    /// The server refused this client for good.
    case disable(status: Int)
    /// Callers that wait for the flush continue.
    case endFlush
  }

  /// A batch to post.
  package struct Batch: Sendable, Hashable {
    package let sequence: Int
    package let source: Source
    package let events: [QueuedEvent]
    /// 1, and one more for each retryable failure in a row before it.
    package let attempt: Int
    /// The size that batches had at most when it was made.
    package let maxBatchSize: Int
  }

  /// Where the events of a batch come from.
  package enum Source: String, Sendable, Hashable, Codable {
    case memory, disk
  }

  /// The batch that is being sent.
  package struct InFlight: Sendable, Hashable {
    package var batch: Batch
    /// Where its events are kept meanwhile.
    package var source: Source
    /// How many events at the front of the disk belong to it, the expired ones included.
    package var stored = 0
    /// How many of those were too old to send.
    package var expired = 0
    /// How many of its events the disk gave up meanwhile, because it was full.
    package var lost = 0
    /// When the transport is abandoned.
    package var deadline: Duration
  }

  package enum Phase: String, Sendable, Hashable {
    case stopped, running, disabled
  }

  /// The step that a flush waits for.
  enum FlushStep: Sendable, Hashable {
    /// There is no flush.
    case none
    /// The disk has stored what it was asked to store.
    case storing
    /// Delivered events have left the disk.
    case removal
    /// The disk has given its oldest events.
    case reading
    /// The batch in flight has an outcome.
    case outcome
  }

  /// Scope of storing: which of the events that are not on disk.
  enum StoreScope: Sendable, Hashable {
    case memory
    /// Memory and events in flight.
    case everything
  }

  package enum Network: Sendable, Hashable {
    case online, offline
    /// It is there again, and counts as online from then on.
    case returning(at: Duration)
  }

  package internal(set) var configuration: DeliveryConfiguration
  package internal(set) var phase = Phase.stopped
  package internal(set) var network = Network.online
  package internal(set) var isForeground = true
  package internal(set) var queue = EventQueue()
  package internal(set) var inFlight: InFlight?
  package internal(set) var breaker: CircuitBreaker
  /// The largest batch for now, by where its events come from.
  package internal(set) var memoryBatchSize: Int
  package internal(set) var diskBatchSize: Int
  /// Retryable failures in a row.
  package internal(set) var failures = 0
  /// When the next attempt goes out; while it is set no other one does.
  package internal(set) var retryAt: Duration?
  /// No request is sent before this time, whatever asks for it: the wait after the last failure.
  package internal(set) var notBefore: Duration?
  /// Until when the server asked for a pause; that part of the wait outlives the background.
  var askedUntil: Duration?
  /// The timer of flushes.
  package internal(set) var timerAt: Duration?
  /// The step that each batch waits for, until nothing is left.
  var step = FlushStep.none

  /// Events in the files, those that are delivered or abandoned included.
  var diskCount = 0
  /// Events at the front of the disk that are delivered or abandoned, and still have to leave.
  var owedRemovals = 0
  /// Those of them that the disk is asked to remove, until it answers.
  var removing = 0
  /// Events that are handed to the disk, which has not answered yet.
  var storing = 0
  /// No write is tried before that moment.
  var diskRetryAt: Duration?
  /// True if the disk is left out until the flush ends, because it cannot be read.
  var skipsDisk = false
  /// The scope to store as soon as owed removals are done.
  var pendingStore: StoreScope?
  /// Number of events at the front of those being stored that are in flight.
  var storingInFlight = 0
  var lastSequence = 0

  package init(_ configuration: DeliveryConfiguration = DeliveryConfiguration()) {
    self.configuration = configuration
    breaker = CircuitBreaker(configuration.breaker)
    memoryBatchSize = max(1, configuration.batchSize)
    diskBatchSize = max(1, configuration.batchSize)
  }

  /// True if batches follow each other until nothing is left.
  package var isFlushing: Bool { step != .none }

  /// Events on disk, without those that have to leave it.
  package var stored: Int { max(0, diskCount - owedRemovals) }

  /// Events in memory, in flight and on disk: all that were accepted and are neither delivered nor dropped.
  package var waiting: Int {
    let flying = inFlight.map { $0.source == .memory ? $0.batch.events.count : $0.lost } ?? 0
    return queue.total + stored + flying
  }

  /// When ``Event/timePassed`` has something to do next.
  package var nextDeadline: Duration? {
    var deadlines = [timerAt, retryAt, inFlight?.deadline].compactMap(\.self)
    if case .returning(let moment) = network { deadlines.append(moment) }
    return deadlines.min()
  }

  /// Takes what happened and says what to do.
  ///
  /// - Parameters:
  ///   - now: The time on a clock that never goes back.
  ///   - generator: Where the chance of the breaker's cooldown comes from.
  package mutating func handle(
    _ event: Event, at now: Duration, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch event {
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
