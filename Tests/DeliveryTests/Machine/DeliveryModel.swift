import Resilience
import TestSupport

@testable import Delivery

/// A delivery machine with tiny capacities beside an account of every event, and the first thing that was wrong.
///
/// Batches leave in the order of the calls, with one exception: in a flush that cannot read the disk, or cannot take
/// delivered events off it, what is in memory overtakes what is on disk.
struct DeliveryModel {
  private(set) var rig: MachineRig
  private(set) var fault: String?
  private var gate: DeliveryGate
  private var account = EventAccount()

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let configuration = DeliveryConfiguration.tiny(using: &random)
    gate = DeliveryGate(configuration)
    rig = MachineRig(configuration, seed: random.next())
  }

  /// What is wrong after those calls, and after everything was well again for long enough.
  static func fault(of calls: [ModelCall], seed: UInt64) -> String? {
    var model = DeliveryModel(seed: seed)
    for call in calls where model.fault == nil { model.run(call) }
    model.quiet()
    return model.fault
  }

  /// Does a call, and checks everything after each of the machine's events.
  mutating func run(_ call: ModelCall) {
    guard fault == nil else { return }
    switch call {
    case .queue(let count, let bytes): for _ in 0..<count { queue(bytes) }
    case .flush: handle(.flushRequested)
    case .end(let ending): end(ending)
    case .wait(let milliseconds): wait(.milliseconds(milliseconds))
    case .background: changeGround(.enteredBackground)
    case .foreground: changeGround(.enteredForeground)
    case .networkLost: changeNetwork(.networkLost)
    case .networkFound: changeNetwork(.networkFound)
    case .terminate: handle(.terminated)
    case .restart: restart()
    case .crash: crash()
    case .crashAfter(let actions): rig.actionsBeforeCrash = actions
    case .fail(.stores): rig.disk.failsStores = true
    case .fail(.reads): rig.disk.failsReads = true
    case .fail(.removals): rig.disk.failsRemovals = true
    case .repairDisk: repair()
    case .damage(let index): if index < rig.disk.count { rig.disk.damage(index) }
    case .expire(let index): if index < rig.disk.count { rig.disk.expire(index) }
    }
  }

  /// Makes everything well, and expects that all that waits is delivered.
  private mutating func quiet() {
    rig.actionsBeforeCrash = nil
    repair()
    run(.networkFound)
    run(.foreground)
    for _ in 0..<100 where fault == nil && rig.machine.waiting > 0 {
      if rig.inFlight != nil {
        end(.answer(200, retryAfter: nil))
      } else if let next = rig.machine.retryAt ?? rig.machine.nextDeadline {
        rig.now = max(rig.now, next)
        passTime()
      }
    }
    if rig.machine.waiting > 0 { fail("\(rig.machine.waiting) events wait for ever") }
  }

  // MARK: - Events

  private mutating func handle(_ event: DeliveryMachine.Event) {
    guard fault == nil else { return }
    rig.forgetLog()
    rig.handle(event)
    if rig.hasCrashed { crash() } else { check(event) }
  }

  private mutating func queue(_ bytes: Int) {
    guard fault == nil else { return }
    let number = rig.nextNumber()
    account.offer(number)
    handle(.queued(.numbered(number, bytes: bytes)))
  }

  private mutating func end(_ ending: ModelCall.Ending) {
    if ending == .late {
      let sequence = rig.sent.last { $0.sequence != rig.inFlight?.sequence }?.sequence ?? 0
      return handle(.concluded(sequence: sequence, .answered(status: 200, retryAfter: nil)))
    }
    guard let batch = rig.inFlight else { return }
    gate.ended(ending, at: rig.now)
    if case .answer(200..<300, _) = ending { account.acknowledge(batch.numbers) }
    rig.forgetLog()
    rig.conclude(ending.outcome)
    if rig.hasCrashed { crash() } else { check(nil) }
  }

  /// Stops at a few of the moments for which the machine asks, and jumps to the end then, as a device does that slept.
  private mutating func wait(_ time: Duration) {
    let end = rig.now + time
    for _ in 0..<4 {
      guard fault == nil, let next = rig.machine.nextDeadline, next < end else { break }
      rig.now = max(rig.now, next)
      passTime()
    }
    rig.now = end
    passTime()
  }

  private mutating func passTime() {
    gate.timePasses(at: rig.now, timesOut: rig.machine.inFlight.map { $0.deadline <= rig.now } ?? false)
    handle(.timePassed)
  }

  private mutating func changeGround(_ event: DeliveryMachine.Event) {
    if (event == .enteredForeground) != rig.machine.isForeground { gate.groundChanged() }
    handle(event)
  }

  private mutating func changeNetwork(_ event: DeliveryMachine.Event) {
    if event == .networkLost { gate.networkLost() } else { gate.networkFound(at: rig.now) }
    handle(event)
  }

  private mutating func restart() {
    handle(.stopped)
    gate = DeliveryGate(rig.machine.configuration)
    handle(.started(stored: rig.disk.count, inForeground: rig.machine.isForeground))
  }

  private mutating func crash() {
    guard fault == nil else { return }
    gate = DeliveryGate(rig.machine.configuration)
    if let trouble = account.crash(disk: rig.disk.numbers, maxBatch: rig.machine.configuration.batchSize) {
      return fail(trouble)
    }
    rig.forgetLog()
    rig.crash()
    check(nil)
  }

  private mutating func repair() {
    rig.disk.failsStores = false
    rig.disk.failsReads = false
    rig.disk.failsRemovals = false
  }

  private mutating func fail(_ text: String) { fault = fault ?? text }

  // MARK: - Checks

  private mutating func check(_ event: DeliveryMachine.Event?) {
    if let trouble = checkMachine() ?? checkSend() ?? account.settle(rig) {
      fail(event.map { "\(trouble) (\($0))" } ?? trouble)
    }
  }

  private mutating func checkSend() -> String? {
    if rig.hasOverlapped { return "two batches were in flight" }
    guard rig.log.contains(where: { if case .send = $0 { true } else { false } }), let batch = rig.sent.last
    else {
      return nil
    }
    if let trouble = gate.objection(at: rig.now) { return trouble }
    if batch.events.isEmpty || batch.events.count > batch.maxBatchSize {
      return "a batch of \(batch.events.count)"
    }
    return account.send(batch.numbers, rig)
  }

  /// What holds between any two events.
  private func checkMachine() -> String? {
    let machine = rig.machine
    if machine.inFlight?.batch.sequence != rig.inFlight?.sequence {
      return "it is another batch that is in flight"
    }
    if machine.isFlushing != (machine.inFlight != nil) { return "a flush waits for nothing" }
    if machine.retryAt != nil {
      if machine.inFlight != nil { return "a retry is armed while a batch is in flight" }
      if machine.network != .online || !machine.isForeground { return "a retry that cannot be" }
    }
    if machine.inFlight?.source == .disk, !machine.queue.front.isEmpty {
      return "memory before a batch from disk"
    }
    if machine.phase == .running {
      if machine.isForeground, machine.timerAt == nil { return "no timer" }
    } else if machine.waiting > 0 || machine.timerAt != nil {
      return "something waits, though nothing runs"
    }
    return checkCapacity()
  }

  private func checkCapacity() -> String? {
    let configuration = rig.machine.configuration
    let queue = rig.machine.queue
    let mostOnDisk = configuration.maxDiskEvents
    let isTooMuch =
      queue.count > configuration.maxQueueEvents
      || queue.bytes > configuration.maxQueueBytes && queue.count > 1
    if isTooMuch { return "\(queue.count) events, \(queue.bytes) bytes in memory" }
    if queue.parked.count > mostOnDisk { return "\(queue.parked.count) events are parked" }
    if rig.machine.stored > mostOnDisk { return "\(rig.machine.stored) events on disk" }
    // What could not be removed is there as well, until that is too much; then nothing more is stored.
    let mostAtOnce = mostOnDisk + configuration.maxQueueEvents + configuration.batchSize
    if rig.disk.peak > 2 * mostOnDisk + mostAtOnce { return "\(rig.disk.peak) events in the files" }
    if mostOnDisk == 0, rig.log.contains(where: \.asksDisk) { return "the disk was used" }
    if rig.log.count > 40 + 8 * mostOnDisk { return "\(rig.log.count) actions for one event" }
    return nil
  }
}

extension DeliveryMachine.Action {
  fileprivate var asksDisk: Bool {
    switch self {
    case .read, .store, .remove: true
    case .clearDisk, .send, .cancel, .drop, .delivered, .disable, .endFlush: false
    }
  }
}

extension ModelCall.Ending {
  fileprivate var outcome: DeliveryMachine.Outcome {
    switch self {
    case .answer(let status, let retryAfter):
      .answered(status: status, retryAfter: retryAfter.map { .seconds($0) })
    case .unanswered, .late: .unanswered
    case .notEncodable: .notEncodable
    }
  }
}

extension DeliveryConfiguration {
  /// Capacities so small that their limits are met all the time.
  fileprivate static func tiny(using random: inout SeededGenerator) -> Self {
    var configuration = Self()
    configuration.maxQueueEvents = Int.random(in: 1...4, using: &random)
    configuration.maxQueueBytes = Int.random(in: 3...12, using: &random)
    configuration.maxDiskEvents = [0, 1, 2, 3, 5, 8][Int.random(in: 0..<6, using: &random)]
    configuration.batchSize = Int.random(in: 1...4, using: &random)
    configuration.autoFlushEvents = Int.random(in: 1...5, using: &random)
    configuration.diskFlushEvents = Int.random(in: 1...6, using: &random)
    configuration.diskFlushBytes = Int.random(in: 4...20, using: &random)
    if Bool.random(using: &random) {
      configuration.breaker = .init(backoff: Backoff(base: .seconds(10), maximum: .seconds(120)))
    }
    return configuration
  }
}
