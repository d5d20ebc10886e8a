import Resilience
import TelemetryCore
import TestSupport
import Testing

@testable import Sync

@Suite("Sync state machine")
struct SyncStateMachineTests {
  @Test(
    "Random sequences of events: no illegal action, no lost mutation, every row of the table taken")
  func modelCheck() {
    var complaints: [String] = []
    var rules: Set<String> = []
    for seed in 0..<trials(3_000, long: 100_000) where complaints.count < 5 {
      var model = MachineModel(seed: UInt64(seed))
      for _ in 0..<12 { model.step() }
      complaints += model.complaints.map { "seed \(seed): \($0)" }
      rules.formUnion(model.rules)
    }
    #expect(complaints == [])
    // The missing ones need longer sequences.
    for seed in 0..<600 {
      var model = MachineModel(seed: UInt64(seed))
      for _ in 0..<600 { model.step() }
      complaints += model.complaints.map { "seed \(seed): \($0)" }
      rules.formUnion(model.rules)
    }
    #expect(complaints == [])
    rules.formUnion(clearedWhileProbing())
    #expect(Set(SyncRule.table.map(\.number)).subtracting(rules) == [])
  }

  /// The rows of a probe after a backoff that meets a 429 although the breaker was closed by hand meanwhile.
  private func clearedWhileProbing() -> [String] {
    var machine = MachineSamples.machine(in: .rateLimited)
    var generator = SeededGenerator(seed: 1)
    return [SyncEvent.backoffElapsed, .syncRequested(.app), .pendingCleared, .rateLimited(retryAfter: nil)]
      .compactMap {
        machine.handle($0, at: .seconds(100), pending: 0, using: &generator).rule?.number
      }
  }

  @Test("numbers of rows are unique, and every row of docs/sync-engine.md is there")
  func numbers() {
    let numbers = SyncRule.table.map(\.number)
    #expect(Set(numbers).count == numbers.count)
    let rows = Set(numbers.compactMap { Int($0.prefix { $0.isNumber }) })
    #expect(rows == Set(1...23))
  }

  @Test(
    "every state answers every event: by a row, or by a refusal that says why",
    arguments: SyncState.Kind.allCases)
  func everyPair(kind: SyncState.Kind) {
    for event in MachineSamples.events {
      var machine = MachineSamples.machine(in: kind)
      var generator = SeededGenerator(seed: 1)
      let before = machine.state
      let decision = machine.handle(event, at: .seconds(1000), pending: 3, using: &generator)
      #expect(decision.from == before)
      if decision.isRefused {
        #expect(decision.reason?.isEmpty == false, "\(kind) \(event.kind)")
        #expect(decision.actions.allSatisfy { $0 == .refuse || $0 == .rememberRequest })
      } else {
        #expect(decision.rule?.from.contains(kind) == true)
      }
    }
  }

  @Test(
    "a refusal says what is missing",
    arguments: [
      (SyncState.Kind.idle, SyncEvent.pushFinished, "only in state syncing"),
      (.idle, .backoffElapsed, "only in state rateLimited"),
      (.syncing, .syncRequested(.app), "a run is active"),
      (.syncing, .breakerReset, "a run is active"),
      (.idle, .probeSucceeded, "only when the run is probing"),
    ])
  func refusals(kind: SyncState.Kind, event: SyncEvent, reason: String) {
    var machine = MachineSamples.machine(in: kind)
    var generator = SeededGenerator(seed: 1)
    #expect(machine.handle(event, at: .zero, pending: 0, using: &generator).reason == reason)
  }

  @Test("the run is claimed before the first wait: the request itself returns the probe")
  func claims() {
    var machine = SyncStateMachine()
    var generator = SeededGenerator(seed: 1)
    let decision = machine.handle(.syncRequested(.app), at: .zero, pending: 3, using: &generator)
    #expect(decision.actions == [.claimRun, .cancelTimer, .begin(.fullSync), .begin(.healthCheck), .probe])
    #expect(machine.run?.sequence == 1)
    #expect(machine.handle(.syncRequested(.app), at: .zero, pending: 3, using: &generator).isRefused)
  }

  @Test("an answered failure ends the row of 429, silence does not")
  func answeredFailure() {
    for isAnswered in [true, false] {
      var machine = MachineSamples.machine(in: .syncing)
      var generator = SeededGenerator(seed: 1)
      let limit = SyncEvent.rateLimited(retryAfter: nil)
      _ = machine.handle(limit, at: .zero, pending: 3, using: &generator)
      _ = machine.handle(limit, at: .zero, pending: 3, using: &generator)
      let failure = isAnswered ? SyncError(httpStatus: 500) : SyncError(.other)
      _ = machine.handle(.pushFailed(failure, attempts: 1), at: .zero, pending: 3, using: &generator)
      let last = machine.handle(limit, at: .zero, pending: 3, using: &generator)
      #expect((last.to.kind == .rateLimited) == !isAnswered)
    }
  }

  @Test("numbers from a server cannot trap: cursors, counts and waits at their limits")
  func extremes() {
    var generator = SeededGenerator(seed: 1)
    var machine = MachineSamples.machine(in: .pulling)
    _ = machine.handle(
      .pageApplied(cursor: SyncCursor(.max), count: .max, hasMore: true), at: .zero, pending: .max,
      using: &generator)
    _ = machine.handle(
      .pageApplied(cursor: SyncCursor(.min), count: .max, hasMore: false), at: .zero, pending: 0,
      using: &generator)
    machine = MachineSamples.machine(in: .syncing)
    _ = machine.handle(.pushAcknowledged(count: .max), at: .zero, pending: .max, using: &generator)
    _ = machine.handle(.pushAcknowledged(count: .max), at: .zero, pending: .max, using: &generator)
    _ = machine.handle(.pushFinished, at: .seconds(Int64.max), pending: 0, using: &generator)
    machine = MachineSamples.machine(in: .syncing)
    for _ in 0..<3 {
      _ = machine.handle(
        .rateLimited(retryAfter: .seconds(Int64.max)), at: .zero, pending: 0, using: &generator)
    }
    #expect(machine.state == .rateLimited(retryAfter: .seconds(300), pending: 0))
  }
}

/// Machines in each state, and an event of each kind.
enum MachineSamples {
  static let events: [SyncEvent] = [
    .syncRequested(.app), .probeFailed(SyncError(.timeout)), .probeSucceeded, .pushAcknowledged(count: 1),
    .pushDuplicated,
    .pushFailed(SyncError(httpStatus: 500), attempts: 1), .batchFailed(SyncError(.other)),
    .pushConflicted(SyncError(.conflict, status: 412)),
    .rateLimited(retryAfter: nil),
    .pushFinished, .pageApplied(cursor: 9, count: 1, hasMore: false), .bootstrapApplied(cursor: 9, count: 1),
    .runFailed(SyncError(.store)), .runCancelled, .backoffElapsed, .breakerReset, .pendingCleared,
    .resyncForced,
    .cursorSkipped(cursor: 9), .storeReset,
  ]

  /// The events that lead from the start to a state.
  private static func path(to kind: SyncState.Kind) -> [SyncEvent] {
    let limit = SyncEvent.rateLimited(retryAfter: nil)
    switch kind {
    case .idle: return []
    case .syncing: return [.syncRequested(.app), .probeSucceeded]
    case .pulling: return [.syncRequested(.app), .probeSucceeded, .pushFinished]
    case .rateLimited: return [.syncRequested(.app), .probeSucceeded, limit, limit, limit]
    case .error: return [.syncRequested(.app), .probeSucceeded, .runFailed(SyncError(.store))]
    }
  }

  static func machine(in kind: SyncState.Kind) -> SyncStateMachine {
    var machine = SyncStateMachine(cursor: 1)
    var generator = SeededGenerator(seed: 1)
    for event in path(to: kind) { _ = machine.handle(event, at: .zero, pending: 3, using: &generator) }
    return machine
  }
}
