import Resilience
import TestSupport
import Testing

@testable import Sync

@Suite("What can happen next to a sync engine")
struct EngineOptionsTests {
  /// Guards that depend on what an event brings, or on more than a record tells.
  private static let unknowable: Set<SyncGuard> = [
    .attemptsLeft, .lastAttempt, .belowThreshold, .atThreshold, .needsBootstrap, .hasCursor, .cursorAdvances,
    .cursorStuck, .hasMorePages, .lastPage, .provenHealthy, .notProvenHealthy,
  ]

  private static let paths: [[SyncEvent]] = {
    let limit = SyncEvent.rateLimited(retryAfter: nil)
    let pushing: [SyncEvent] = [.syncRequested(.app), .probeSucceeded]
    let tripped = pushing + [limit, limit, limit]
    return [
      [], [.syncRequested(.app)], pushing, pushing + [.pushFinished], tripped,
      pushing + [.runFailed(SyncError(.store))],
      pushing + [.runFailed(SyncError(.store)), .syncRequested(.app)],
    ]
  }()

  @Test(
    "it agrees with the machine for every state and event, before and after a backoff", arguments: [0, 1000])
  func agrees(seconds: Int) {
    for path in Self.paths {
      for event in MachineSamples.events {
        var machine = SyncStateMachine(cursor: 1)
        var generator = SeededGenerator(seed: 1)
        for step in path { _ = machine.handle(step, at: .zero, pending: 3, using: &generator) }
        let now = Duration.seconds(seconds)
        let outlook = EngineOptions(
          state: machine.state.kind, phase: machine.run?.phase,
          isBreakerOpen: machine.breaker.state(at: now) == .open)
        let decision = machine.handle(event, at: now, pending: 3, using: &generator)
        let place = "\(outlook.state) \(String(describing: outlook.phase)) \(event.kind)"
        if let reason = outlook.reason(against: event.kind) {
          #expect(decision.isRefused, "\(place): \(reason)")
          #expect(!reason.isEmpty && reason != "only when ")
        } else if decision.isRefused {
          // Possible in general: only what this very event brings stands against it.
          let guards = outlook.rule(for: event.kind)?.guards ?? []
          #expect(
            guards.contains { Self.unknowable.contains($0) } || isPull(event),
            "\(place): \(decision.reason ?? "")")
        }
      }
    }
  }

  /// True if the active run bootstraps or pulls pages is not in the record.
  private func isPull(_ event: SyncEvent) -> Bool {
    event.kind == .pageApplied || event.kind == .bootstrapApplied
  }

  @Test("the reason names what stands against it")
  func reasons() {
    let open = EngineOptions(state: .rateLimited, phase: nil, isBreakerOpen: true)
    #expect(open.reason(against: .syncRequested) == "the breaker is open")
    #expect(open.reason(against: .breakerReset) == nil)
    #expect(open.reason(against: .pushFinished) == "only in state syncing")
    let probing = EngineOptions(state: .idle, phase: .probing, isBreakerOpen: false)
    #expect(probing.reason(against: .syncRequested) == "a run is active")
    #expect(probing.reason(against: .probeSucceeded) == nil)
  }
}
