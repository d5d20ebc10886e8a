import Codecs
import Platform

@testable import DashboardCore
@testable import EngineScreens
@testable import Sync
@testable import SyncSimulation

/// A sync engine's record, put together by hand.
struct SyncStory {
  private(set) var state = EngineState()

  init() {}

  /// A new engine whose records follow those of another one.
  init(after story: SyncStory) { state = story.state }

  private var sequence = 0
  private static let start = Timestamp(800_000_000)

  /// The time some seconds after the start.
  static func at(_ seconds: Double) -> Timestamp { start + seconds }

  mutating func decide(
    _ seconds: Double, _ event: SyncEvent.Kind, _ from: String = "idle", _ to: String = "idle",
    phase: String? = nil, failure: SyncError? = nil, next: Double? = nil, limit: Double? = nil,
    online: Bool = true
  ) {
    sequence += 1
    var transition = SyncTransition(
      sequence: sequence, from: from, to: to, event: event.rawValue, refused: false,
      reason: failure?.keptText,
      engineTime: seconds, synced: nil, total: nil, pending: state.pending, retryAfter: nil, message: nil,
      byHand: false, branch: 0, rule: nil, origin: "server", run: 1, phase: phase, trigger: nil,
      failure: failure?.code.rawValue, httpStatus: failure?.status)
    transition.nextTry = next.map { Self.at($0).seconds }
    transition.nextTrigger = next == nil ? nil : "retry"
    transition.nextCause = next == nil ? "app" : next == limit ? "retryAfter" : "floor"
    transition.limit = limit.map { Self.at($0).seconds }
    transition.online = online
    state.handle(.transition(transition), at: Self.at(seconds))
  }

  mutating func mutation(
    _ seconds: Double, _ id: String, _ kind: String = "event", _ operation: String = "create",
    _ now: SyncMutation.State = .queued, attempts: Int = 0, error: String? = nil, waitsFor: String? = nil,
    notBefore: Double? = nil, next: Double? = nil, cause: NextRun.Cause = .queue, created: Double? = nil
  ) {
    var mutation = SyncMutation(
      id: id, kind: kind, operation: operation, entity: "\(id)-entity", bytes: 20, attempts: attempts,
      state: now,
      lastError: error, createdAt: Self.at(created ?? seconds).seconds, branch: 0)
    mutation.waitsFor = waitsFor
    mutation.notBefore = notBefore.map { Self.at($0).seconds }
    if let next {
      (mutation.nextTry, mutation.nextTrigger) = (Self.at(next).seconds, "queue")
      mutation.nextCause = cause.rawValue
    }
    state.handle(.mutation(mutation), at: Self.at(seconds))
    state.handle(.pending(state.queue.count), at: Self.at(seconds))
  }

  mutating func run(_ seconds: Double, _ status: SyncRunSummary.Status = .success) {
    state.handle(
      .run(
        SyncRun(
          sequence: 1, status: status, pushed: 0, pulled: 0, failed: 0, durationMs: 80, error: nil,
          bootstrap: false,
          cursor: 1, cursorText: nil, trigger: "app", failure: nil, httpStatus: nil, branch: 0)),
      at: Self.at(seconds))
  }

  mutating func open(_ seconds: Double, until: Double) {
    state.handle(
      .breaker(
        SyncBreaker(
          state: "open", consecutive: 3, threshold: 3, multiplier: 2, until: Self.at(until).seconds,
          refusedCalls: 0,
          byHand: false, branch: 0)),
      at: Self.at(seconds))
  }

  /// A simulation says when its app asks for a run.
  mutating func asks(at seconds: Double) {
    let record = SyncSimulationRecord(
      scenario: nil, seed: 1, step: 1, branch: 0, parent: nil, speed: 1, running: true,
      next: EngineForecast.appAsks, nextAt: Self.at(seconds).seconds)
    state.handle(.simulation(record), at: Self.at(1))
  }

  mutating func fault(_ seconds: Double, _ fault: SimulatedFault, isOn: Bool = true) {
    let record = SyncFault(
      fault: fault.rawValue, amount: 0, unit: "", probability: 1, scope: "", on: isOn, byHand: false,
      branch: 0)
    state.handle(.fault(record), at: Self.at(seconds))
  }

  func sentence(_ seconds: Double) -> EngineSentence {
    EngineSentence(of: state, at: Self.at(seconds), zone: .utc)
  }
}
