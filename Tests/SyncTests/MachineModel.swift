import Resilience
import TelemetryCore
import TestSupport

@testable import Sync

/// A driver in small: it performs what the machine decides on counters of its own, and says when an action is illegal.
struct MachineModel {
  /// One mutation as the model knows it.
  private struct Item {
    let id: Int
    var attempts = 0
  }

  private(set) var machine: SyncStateMachine
  private(set) var generator: SeededGenerator
  private(set) var now = Duration.zero
  private(set) var complaints: [String] = []
  private(set) var rules: Set<String> = []

  private var queue: [Item] = []
  private var queuedEver = 0
  private var acknowledged = 0
  private var dead = 0
  private var cleared = 0

  private var open: [SyncSignposts.Interval] = []
  private var isActive = false
  private var hasPassedGate = false
  private var verdicts = 0
  private var records = 0
  private var cursor = SyncCursor.start
  private var timer: Duration?

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    machine = SyncStateMachine(cursor: Bool.random(using: &generator) ? .start : 7)
    cursor = machine.cursor
  }

  /// Lets time pass, something be queued, and an event happen: mostly one that may happen now, sometimes any other.
  mutating func step() {
    now += .milliseconds(Int.random(in: 0...20_000, using: &generator))
    if Int.random(in: 0..<4, using: &generator) == 0 {
      queuedEver += 1
      queue.append(Item(id: queuedEver))
      machine.noteQueued()
    }
    let isWild = Int.random(in: 0..<8, using: &generator) == 0
    take(isWild ? anyEvent() : likelyEvent())
    if queuedEver != acknowledged + queue.count + dead + cleared { complain("a mutation is lost") }
  }

  private mutating func take(_ event: SyncEvent) {
    let before = machine.state
    let hasRun = machine.run != nil
    let item = prepare(event)
    let decision = machine.handle(event, at: now, pending: queue.count, using: &generator)
    if let rule = decision.rule { rules.insert(rule.number) }
    if decision.isRefused {
      let isToRateLimited = decision.to.kind == .rateLimited
      let isQuiet = decision.actions.allSatisfy { $0 == .refuse || $0 == .rememberRequest }
      if !isQuiet || (decision.to != before && !isToRateLimited) {
        complain("refused \(event.kind), and yet something happened")
      }
      if decision.reason?.isEmpty ?? true { complain("\(event.kind) was refused without a reason") }
    } else {
      settle(event, item, decision)
    }
    let asked = decision.actions.drop { $0 != .notifyBootstrapCompleted }.dropFirst()
    if asked.contains(where: { $0 != .requestRun(.followUp) }) {
      complain("the notification was not the last step of its run")
    }
    for action in decision.actions { perform(action, event, decision) }
    check(decision)
    if hasRun && decision.actions.contains(.probe) { complain("a second run was claimed") }
    if isActive != (machine.run != nil) { complain("the run of the machine and of the driver differ") }
    if machine.state.isSyncing && machine.run == nil { complain("syncing without a run") }
  }

  /// The mutation that a push event is about.
  private func prepare(_ event: SyncEvent) -> Item? {
    switch event {
    case .pushAcknowledged, .pushDuplicated, .pushFailed: queue.first
    default: nil
    }
  }

  private mutating func settle(_ event: SyncEvent, _ item: Item?, _ decision: SyncDecision) {
    switch event {
    case .pushAcknowledged(let count):
      let taken = min(max(0, count), queue.count)
      queue.removeFirst(taken)
      acknowledged += taken
    case .pushDuplicated where item != nil:
      queue.removeFirst()
      acknowledged += 1
    case .pushFailed(_, let attempts):
      guard var item, attempts == item.attempts + 1 else { return }
      item.attempts = attempts
      queue.removeFirst()
      switch (decision.actions.contains(.keepMutation), decision.actions.contains(.buryMutation)) {
      case (true, false): queue.append(item)
      case (false, true): dead += 1
      default: complain("a failed mutation is neither kept nor buried")
      }
      if item.attempts > 5 { complain("attempts above five") }
    case .pendingCleared:
      cleared += queue.count
      queue = []
    default: break
    }
  }

  /// The invariants after every decision.
  private mutating func check(_ decision: SyncDecision) {
    store(machine.cursor, decision.event)
    if let wake = machine.wakeUp, machine.run == nil, wake - now > .seconds(3600) {
      complain("the engine sleeps for \(wake - now)")
    }
    if decision.actions.contains(.requestRun(.followUp)), machine.retryUntil != nil {
      complain("a follow-up run that does not wait")
    }
  }

  private mutating func perform(_ action: SyncAction, _ event: SyncEvent, _ decision: SyncDecision) {
    switch action {
    case .begin(let interval):
      if open.contains(interval) { complain("\(interval) was begun twice") }
      if interval == .fullSync {
        claim()
      } else if !open.contains(.fullSync) {
        complain("\(interval) outside of a run")
      }
      open.append(interval)
    case .end(let interval):
      if !open.contains(interval) { complain("\(interval) was ended without a begin") }
      open.removeAll { $0 == interval }
    case .endIntervals: open = []
    case .emit(let signal): count(signal)
    case .probe: need(.healthCheck)
    case .push:
      if !hasPassedGate { hasPassedGate = true }
      need(.flushMutations)
    case .pull: need(.pullChanges)
    case .bootstrap: need(.bootstrapFetch)
    case .trip:
      timer = machine.breaker.until
      if timer.map({ $0 <= now }) ?? true { complain("a timer in the past") }
    case .cancelTimer: timer = nil
    case .recordRun:
      records += 1
      if decision.summary == nil { complain("a run without a summary") }
    case .releaseRun: release()
    case .requestRun: if isActive { complain("a run was requested while one is active") }
    case .awaitRun, .cancelRun: if !isActive { complain("\(action) without a run") }
    case .notifyBootstrapCompleted: if isActive { complain("the notification came during a run") }
    default: break
    }
  }

  private mutating func claim() {
    if isActive { complain("two runs at once") }
    (isActive, hasPassedGate, verdicts, records) = (true, false, 0, 0)
  }

  private mutating func release() {
    if !isActive { complain("a run was released that nobody had") }
    if !open.isEmpty { complain("\(open) are still open at the end of a run") }
    if records != 1 { complain("\(records) records of one run") }
    if verdicts != (hasPassedGate ? 1 : 0) { complain("\(verdicts) verdicts, gate passed: \(hasPassedGate)") }
    isActive = false
  }

  private mutating func count(_ signal: SyncSignposts.Event) {
    if signal == .success || signal == .failure { verdicts += 1 }
    if !isActive { complain("\(signal) outside of a run") }
  }

  private mutating func store(_ new: SyncCursor, _ event: SyncEvent) {
    let mayGoBack =
      [.resyncForced, .cursorSkipped].contains(event.kind) || event.failure?.code == .cursorExpired
    if cursor.isBeyond(new) && !mayGoBack { complain("the cursor went back from \(cursor) to \(new)") }
    cursor = new
  }

  private mutating func need(_ interval: SyncSignposts.Interval) {
    if !open.contains(interval) { complain("a request outside of \(interval)") }
  }

  private mutating func complain(_ text: String) {
    complaints.append("\(text) (in \(machine.state.kind) after \(machine.sequence) decisions)")
  }
}

extension MachineModel {
  private static let failures: [SyncError] = [
    SyncError(.timeout), SyncError(.server, status: 500), SyncError(.undecodable, status: 200),
    SyncError(httpStatus: 401), SyncError(.cursorExpired), SyncError(.noConnection),
  ]

  /// An event that fits what the machine does.
  private mutating func likelyEvent() -> SyncEvent {
    guard let run = machine.run else {
      let isDue = timer.map { $0 <= now } ?? false
      if isDue && machine.state.kind == .rateLimited { return .backoffElapsed }
      if let wake = machine.wakeUp, wake <= now { return .retryElapsed }
      return .syncRequested(SyncTrigger.allCases.randomElement(using: &generator) ?? .app)
    }
    let luck = Int.random(in: 0..<10, using: &generator)
    switch run.phase {
    case .probing:
      return luck < 6 ? .probeSucceeded : luck < 8 ? limit() : .probeFailed(anyFailure())
    case .pushing: return pushEvent(luck)
    case .pulling:
      let next = SyncCursor(machine.cursor.number + Int64.random(in: 0...3, using: &generator))
      return luck < 7
        ? .pageApplied(cursor: next, count: luck, hasMore: luck < 4)
        : luck < 9 ? limit() : .runFailed(anyFailure())
    case .bootstrapping:
      return luck < 6
        ? .bootstrapApplied(cursor: SyncCursor(Int64.random(in: 1...99, using: &generator)), count: luck)
        : luck < 8 ? limit() : .runFailed(anyFailure())
    }
  }

  private mutating func pushEvent(_ luck: Int) -> SyncEvent {
    guard let first = queue.first, luck < 9 else { return .pushFinished }
    switch luck {
    case 0..<2: return .pushAcknowledged(count: Int.random(in: 1...queue.count, using: &generator))
    case 2: return .pushDuplicated
    case 3: return .pushConflicted(SyncError(.conflict, status: 412))
    case 4..<6:
      return .pushFailed(
        luck == 4 ? SyncError(.other) : SyncError(httpStatus: 500), attempts: first.attempts + 1)
    case 6: return .batchFailed(anyFailure())
    case 7: return .pushInterrupted(anyFailure())
    default: return limit()
    }
  }

  private mutating func anyFailure() -> SyncError {
    Self.failures[Int.random(in: 0..<Self.failures.count, using: &generator)]
  }

  private mutating func limit() -> SyncEvent {
    .rateLimited(
      retryAfter: Bool.random(using: &generator) ? nil : .seconds(Int.random(in: -9...999, using: &generator))
    )
  }

  /// Any event, most of them out of place.
  private mutating func anyEvent() -> SyncEvent {
    let attempts = (queue.first?.attempts ?? 0) + 1
    let all: [SyncEvent] = [
      .syncRequested(.app), .probeFailed(Self.failures[0]), .probeSucceeded, .pushAcknowledged(count: 1),
      .pushDuplicated,
      .pushFailed(SyncError(httpStatus: 422), attempts: attempts), .batchFailed(SyncError(httpStatus: 500)),
      .pushConflicted(SyncError(.conflict, status: 412)), limit(),
      .pushFinished,
      .pageApplied(cursor: 3, count: 0, hasMore: true), .bootstrapApplied(cursor: 5, count: 0),
      .runFailed(Self.failures[1]), .runCancelled, .backoffElapsed, .retryElapsed, .networkReturned,
      .pushInterrupted(Self.failures[0]), .breakerReset, .pendingCleared,
      .resyncForced,
      .cursorSkipped(cursor: SyncCursor(Int64.random(in: -5...50, using: &generator))), .storeReset,
    ]
    return all[Int.random(in: 0..<all.count, using: &generator)]
  }
}
