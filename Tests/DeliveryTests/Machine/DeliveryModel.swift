import Resilience
import TestSupport

@testable import DeliveryCore

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

  /// The faults after those calls, and after everything was well again for long enough.
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
    case .spoil: rig.spoilsNextBatch = true
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

  /// Makes everything well, and expects that all that waits is delivered once the longest wait is over: nobody else helps.
  private mutating func quiet() {
    rig.actionsBeforeCrash = nil
    rig.spoilsNextBatch = false
    repair()
    run(.networkFound)
    run(.foreground)
    let latest = rig.now + rig.machine.configuration.longestRetryAfter + .seconds(60)
    for _ in 0..<100 where fault == nil && rig.machine.waiting > 0 && rig.now <= latest {
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
    if let trouble = rig.machine.trouble(inFlight: rig.inFlight?.sequence) ?? checkCapacity() ?? checkDisk(
      event) ?? checkSend() ?? account.settle(rig)
    {
      fail(event.map { "\(trouble) (\($0))" } ?? trouble)
    }
  }

  private mutating func checkSend() -> String? {
    if rig.hasOverlapped { return "two batches were in flight" }
    guard rig.hasPosted else { return nil }
    if let trouble = gate.objection(at: rig.now) { return trouble }
    // One that could not be encoded is over already.
    guard let batch = rig.inFlight else { return nil }
    if batch.events.isEmpty || batch.events.count > batch.maxBatchSize {
      return "a batch of \(batch.events.count)"
    }
    return account.send(batch.numbers, rig)
  }

  /// The events that must be on disk by now, if the disk can take them.
  private func checkDisk(_ event: DeliveryMachine.Event?) -> String? {
    guard rig.machine.phase == .running, rig.machine.configuration.usesDisk, !rig.disk.failsStores,
      !rig.disk.failsRemovals
    else { return nil }
    if case .terminated = event, !rig.machine.queue.isEmpty || rig.machine.inFlight?.source == .memory {
      return "the end of the process finds events in memory"
    }
    let isLeaving = rig.machine.network != .online || !rig.machine.isForeground
    if isLeaving, !rig.machine.isFlushing, rig.log.contains(.endFlush), !rig.machine.queue.isEmpty {
      return "a flush that could not send left events in memory"
    }
    return nil
  }

  private func checkCapacity() -> String? {
    let most = rig.machine.configuration.maxDiskEvents
    // Files that could not be removed count as well; at the limit nothing more is stored.
    let mostAtOnce = most + rig.machine.configuration.maxQueueEvents + rig.machine.configuration.batchSize
    if rig.disk.peak > 2 * most + mostAtOnce { return "\(rig.disk.peak) events in the files" }
    if most == 0, rig.hasAskedDisk { return "the disk was used" }
    if rig.log.count > 40 + 8 * most { return "\(rig.log.count) actions for one event" }
    return nil
  }
}

extension DeliveryMachine {
  /// Its faults between any two events; its own, as tests without optimization copy what they reach into.
  fileprivate func trouble(inFlight sequence: Int?) -> String? {
    if inFlight?.batch.sequence != sequence { return "it is another batch that is in flight" }
    if isFlushing != (inFlight != nil) { return "a flush waits for nothing" }
    if retryAt != nil {
      if inFlight != nil { return "a retry is armed while a batch is in flight" }
      if network != .online || !isForeground { return "a retry that cannot be" }
    }
    if inFlight?.source == .disk, !queue.front.isEmpty { return "memory before a batch from disk" }
    if phase == .running {
      if isForeground, timerAt == nil { return "no timer" }
    } else if waiting > 0 || timerAt != nil {
      return "something waits, though nothing runs"
    }
    let (count, bytes) = (queue.count, queue.bytes)
    if count > configuration.maxQueueEvents || bytes > configuration.maxQueueBytes && count > 1 {
      return "\(count) events, \(bytes) bytes in memory"
    }
    if queue.parked.count > configuration.maxDiskEvents { return "\(queue.parked.count) events are parked" }
    return stored > configuration.maxDiskEvents ? "\(stored) events on disk" : nil
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
    configuration.keepDelay = Bool.random(using: &random) ? .seconds(1_000_000) : .milliseconds(50)
    configuration.diskFlushBytes = Int.random(in: 4...20, using: &random)
    if Bool.random(using: &random) {
      configuration.breaker = .init(backoff: Backoff(base: .seconds(10), maximum: .seconds(120)))
    }
    return configuration
  }
}
