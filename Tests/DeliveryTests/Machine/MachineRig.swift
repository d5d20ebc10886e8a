import DeliveryCore
import Resilience
import TestSupport

/// A delivery machine over a disk in memory, driven as the client drives it; the test is clock and server.
struct MachineRig {
  private(set) var machine: DeliveryMachine
  var disk = ModelDisk()
  var random: SeededGenerator
  var now = Duration.zero
  /// The number of the newest event.
  private(set) var offered = 0

  /// The machine's decisions, in the order of their execution.
  private(set) var log: [DeliveryMachine.Action] = []
  /// True if one of those was to post a batch, or a question to the disk.
  private(set) var hasPosted = false
  private(set) var hasAskedDisk = false
  /// Damaged events found meanwhile.
  private(set) var damagedInLog = 0
  /// All batches that were posted.
  private(set) var sent: [DeliveryMachine.Batch] = []
  /// The batch whose answer is awaited.
  private(set) var inFlight: DeliveryMachine.Batch?
  private(set) var cancelled: [Int] = []
  /// The numbers of what was delivered, in the order of the answers.
  private(set) var delivered: [Int] = []
  private(set) var dropped: [DropCause: Int] = [:]
  private(set) var droppedNumbers: [DropCause: [Int]] = [:]
  private(set) var disabledBy: Int?
  private(set) var endedFlushes = 0
  /// True if a batch was posted while another one was in flight.
  private(set) var hasOverlapped = false
  /// The numbers that the batch in flight is about: of a batch from disk those too old to send as well.
  private(set) var flying: [Int] = []
  private var lastRead: [Int] = []
  /// True if the next batch cannot be encoded.
  var spoilsNextBatch = false
  /// After so many more actions the process ends.
  var actionsBeforeCrash: Int?
  private(set) var hasCrashed = false

  /// A machine that runs, over a disk with what an earlier one left.
  init(
    _ configuration: DeliveryConfiguration = .exact, stored: [Int] = [], inForeground: Bool = true,
    seed: UInt64 = 1
  ) {
    machine = DeliveryMachine(configuration)
    disk = ModelDisk(stored.map { .numbered($0) })
    random = SeededGenerator(seed: seed)
    offered = stored.max() ?? 0
    handle(.started(stored: disk.count, inForeground: inForeground))
  }

  // MARK: - What happens

  /// Feeds an event, and does all that follows from it.
  mutating func handle(_ event: DeliveryMachine.Event) {
    perform(machine.handle(event, at: now, using: &random))
  }

  /// Queues so many events of one size.
  mutating func queue(_ count: Int = 1, bytes: Int = 1) {
    for _ in 0..<count { handle(.queued(.numbered(nextNumber(), bytes: bytes))) }
  }

  mutating func nextNumber() -> Int {
    offered += 1
    return offered
  }

  /// Answers the batch in flight.
  mutating func answer(_ status: Int, retryAfter: Duration? = nil) {
    conclude(.answered(status: status, retryAfter: retryAfter))
  }

  /// Gives the batch in flight an outcome; nothing happens where there is none.
  mutating func conclude(_ outcome: DeliveryMachine.Outcome) {
    guard let batch = inFlight else { return }
    inFlight = nil
    if case .answered(200..<300, _) = outcome { delivered += batch.numbers }
    handle(.concluded(sequence: batch.sequence, outcome))
  }

  /// Lets time pass, with a stop at each moment for which the machine asks.
  mutating func advance(by duration: Duration) {
    let end = now + duration
    while let next = machine.nextDeadline, next <= end {
      now = max(now, next)
      handle(.timePassed)
    }
    now = end
    handle(.timePassed)
  }

  /// Answers batch after batch the same way, until none is in flight.
  mutating func answerAll(_ status: Int = 200) {
    while inFlight != nil { answer(status) }
  }

  /// Ends the process and begins another over the same disk.
  mutating func crash(inForeground: Bool = true) {
    machine = DeliveryMachine(machine.configuration)
    inFlight = nil
    hasCrashed = false
    actionsBeforeCrash = nil
    handle(.started(stored: disk.count, inForeground: inForeground))
  }

  mutating func forgetLog() {
    guard !log.isEmpty else { return }
    log = []
    hasPosted = false
    hasAskedDisk = false
    damagedInLog = 0
  }

  // MARK: - What the driver does

  private mutating func perform(_ actions: [DeliveryMachine.Action]) {
    for action in actions {
      if let left = actionsBeforeCrash {
        hasCrashed = hasCrashed || left == 0
        actionsBeforeCrash = max(0, left - 1)
      }
      if hasCrashed { return }
      log.append(action)
      // The answer of the disk comes before anything else, and what follows from it before the actions that are left.
      if let reply = reply(to: action) { perform(machine.handle(reply, at: now, using: &random)) }
    }
  }

  private mutating func reply(to action: DeliveryMachine.Action) -> DeliveryMachine.Event? {
    switch action {
    case .read(let limit):
      hasAskedDisk = true
      guard let reading = disk.read(limit) else { return .readFailed }
      damagedInLog += reading.damaged
      if reading.damaged > 0 { dropped[.damaged, default: 0] += reading.damaged }
      lastRead = Array(disk.numbers.prefix(reading.events.count + reading.expired))
      return .wasRead(reading.events, expired: reading.expired, stored: disk.count)
    case .store(let place, let events):
      hasAskedDisk = true
      guard disk.store(place, events) else { return .storeFailed(place, events) }
      return .wasStored(count: events.count, stored: disk.count)
    case .remove(let count):
      hasAskedDisk = true
      return disk.remove(count) ? .wasRemoved(stored: disk.count) : .removeFailed
    case .clearDisk: disk.clear()
    case .send(let batch): return send(batch)
    case .cancel(let sequence):
      cancelled.append(sequence)
      if inFlight?.sequence == sequence { inFlight = nil }
    case .drop(let cause, let ids, let count):
      dropped[cause, default: 0] += count
      droppedNumbers[cause, default: []] += ids.compactMap { Int($0) }
    case .disable(let status): disabledBy = status
    case .endFlush: endedFlushes += 1
    case .delivered: break
    }
    return nil
  }

  /// Posts a batch; one that cannot be encoded has its outcome at once, before the actions that are left.
  private mutating func send(_ batch: DeliveryMachine.Batch) -> DeliveryMachine.Event? {
    sent.append(batch)
    hasPosted = true
    hasOverlapped = hasOverlapped || inFlight != nil
    flying = batch.source == .disk ? lastRead : batch.numbers
    guard !spoilsNextBatch else {
      spoilsNextBatch = false
      return .concluded(sequence: batch.sequence, .notEncodable)
    }
    inFlight = batch
    return nil
  }
}

extension MachineRig {
  /// The numbers of each batch that was posted.
  var batches: [[Int]] { sent.map(\.numbers) }

  /// The events in memory, the oldest first: before the disk, behind it, parked.
  var memory: [Int] {
    guard !machine.queue.isEmpty else { return [] }
    var places: [Int] = []
    for line in [machine.queue.front, machine.queue.back, machine.queue.parked] where !line.isEmpty {
      for event in line.all { places.append(event.place) }
    }
    return places
  }

  /// The events on disk, the oldest first.
  var stored: [Int] { disk.newest(machine.stored) }

  /// How long it is until the next attempt.
  var retryIn: Duration? { machine.retryAt.map { $0 - now } }
}

extension DeliveryMachine.Batch {
  var numbers: [Int] { events.map(\.place) }
}

extension DeliveryConfiguration {
  /// The specified constants, with a breaker that leaves nothing to chance.
  static let exact: Self = {
    var configuration = Self()
    configuration.breaker = .init(backoff: Backoff(base: .seconds(10), maximum: .seconds(120)))
    configuration.keepDelay = .seconds(1_000_000)
    return configuration
  }()

  /// Those constants with some changed.
  static func exact(_ change: (inout Self) -> Void) -> Self {
    var configuration = exact
    change(&configuration)
    return configuration
  }
}
