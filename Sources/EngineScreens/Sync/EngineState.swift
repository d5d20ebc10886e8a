package import Platform
package import Sync
package import SyncSimulation
import TelemetryCore

/// The known state of a sync engine at one moment.
package struct EngineState: FoldedEngine {
  package typealias Record = SyncRecord

  /// A transition between two states.
  package struct Arrow: Hashable, Sendable {
    package let from: SyncState.Kind
    package let to: SyncState.Kind
  }

  /// Number of times a transition was taken, and the duration of the preceding state.
  package struct Tally: Sendable, Equatable {
    package var count = 0
    package var lastAt = Timestamp(0)
    /// Total seconds in the preceding state.
    package var seconds = 0.0
  }

  /// The intervals of one name.
  package struct IntervalTally: Sendable, Equatable {
    package var count = 0
    package var last = 0.0
    package var sum = 0.0
    package var longest = 0.0
  }

  /// The reason that runs do not succeed.
  package struct Trouble: Sendable, Equatable {
    /// Start of the series of such runs.
    package let since: Timestamp
    /// Number of consecutive runs.
    package var count = 1
    /// The decision that ended the last one.
    package var last: RecordedValue<SyncTransition>
    /// True if the server has acknowledged changes since the first of them.
    package var hasAnswers = false
  }

  /// The engine's next run of its own, as last recorded.
  package struct Next: Sendable, Equatable {
    package var at: Timestamp?
    package var trigger: SyncTrigger?
    /// The reason for that; `nil` in older records.
    package var cause: NextRun.Cause?

    init() {}

    init(_ record: some NextRunRecord) {
      at = record.nextTry.map { Timestamp($0) }
      trigger = record.nextTrigger.flatMap(SyncTrigger.init)
      cause = record.nextCause.flatMap(NextRun.Cause.init)
    }
  }

  /// The end of a request that the server did not answer, or not for this change.
  struct Unanswered: Sendable, Equatable {
    let time: Timestamp
    let reason: String
    /// True if the answer was 429.
    let isLimit: Bool
    /// The end of the call of a cancelled run: until then the change is not sent again.
    let until: Timestamp?
  }

  static let queueLimit = 1000

  package internal(set) var basics = EngineBasics<SyncRecord, SyncHappening>()
  package internal(set) var configuration = SyncConfiguration()
  /// The latest line of its scenario's story; `nil` if there was none.
  package internal(set) var story: String?

  package internal(set) var state = SyncState.Kind.idle
  /// Start of the current state; `nil` before the first entry.
  package internal(set) var since: Timestamp?
  /// The transition that led here.
  package internal(set) var cause: RecordedValue<SyncTransition>?
  /// The phase of the active run; `nil` when none is active.
  package internal(set) var phase: SyncStateMachine.ActiveRun.Phase?
  package internal(set) var arrows: [Arrow: Tally] = [:]
  /// The latest decisions, refused ones included, oldest first.
  package internal(set) var transitions: [RecordedValue<SyncTransition>] = []
  package internal(set) var decisions = 0
  /// The newest request of each change without an answer of its own, by the id of the change.
  var requests: [String: Int] = [:]
  /// The sequence numbers of requests without any outcome.
  var openRequests: Set<Int> = []
  package internal(set) var refusals = 0

  /// The start of the breaker's current cooldown.
  package internal(set) var openedAt: Timestamp?
  /// Number of resolved conflicts.
  package internal(set) var conflicts = 0

  package internal(set) var pending = 0
  /// The lengths of the queue, oldest first.
  package internal(set) var depths: [RecordedValue<Int>] = []
  /// The known waiting mutations, in order of their first entry.
  package internal(set) var queue: [SyncMutation] = []
  /// The start of each wait, by the id of the mutation.
  package internal(set) var waiting: [String: Timestamp] = [:]
  package internal(set) var outcomes: [SyncMutation.State: Int] = [:]
  /// Mutations that were abandoned and neither requeued nor cleared, oldest first.
  package internal(set) var dead: [SyncMutation] = []
  /// The failure common to all runs since the last one that did not fail.
  package internal(set) var trouble: Trouble?
  /// The time of the first of the current consecutive 429s; `nil` if the server has answered differently since.
  package internal(set) var limitedSince: Timestamp?
  /// The number of consecutive 429s.
  var limits = 0
  /// The engine's next run of its own.
  package internal(set) var next = Next()
  /// The start of the active run's current call.
  package internal(set) var calledSince: Timestamp?
  /// The time when the network was lost; `nil` if there is one, or if it is not recorded.
  package internal(set) var offlineSince: Timestamp?
  /// The waiting changes whose latest request ended without an answer for them, by id.
  var unanswered: [String: Unanswered] = [:]

  package internal(set) var runs: [RecordedValue<SyncRun>] = []
  package internal(set) var intervals: [String: IntervalTally] = [:]
  package internal(set) var events: [String: Int] = [:]

  package init() {}

  /// True if no entry of a sync engine was ever recorded.
  package var isEmpty: Bool { since == nil && simulation == nil && pending == 0 && queue.isEmpty }

  package var isRunning: Bool { true }

  /// The time of the last successful run.
  package var lastSuccess: Timestamp? { runs.last { $0.value.status == .success }?.time }

  /// True if the record shows that something was fetched before.
  var hasFetched: Bool {
    runs.contains { $0.value.cursor > 0 || $0.value.cursorText != nil || $0.value.pulled > 0 }
  }

  /// True if the record shows that there is no network.
  package var isOffline: Bool {
    offlineSince != nil || transitions.last?.value.online == false || isOfflineByFault
  }

  var isOfflineByFault: Bool { faults.contains { $0.fault == SimulatedFault.offline.rawValue && $0.isOn } }

  /// True if the record includes the engine's next own attempt, which older ones do not.
  package var tellsNextTry: Bool { next.cause != nil }

  /// The engine's next own attempt, unless a sync is requested earlier; `nil` during a run, and if none is planned.
  package func nextTry(at now: Timestamp) -> Timestamp? {
    guard phase == nil, !isOffline else { return nil }
    return next.at ?? (isBreakerOpen(at: now) ? openUntil : nil)
  }

  /// The next request for a run by a simulation's app, if that is the next event and no rule will refuse it.
  var appAsks: Timestamp? {
    guard let simulation, let next = simulation.next, let at = simulation.nextAt.map({ Timestamp($0) }),
      SyncForecast.asksForRun(next), outlook(at: at).reason(against: .syncRequested) == nil
    else { return nil }
    return at
  }

  /// The end of the server's Retry-After.
  var limit: Timestamp? { transitions.last?.value.limit.map { Timestamp($0) } }

  /// The start of a change's wait; of an abandoned one, the creation by the device's clock.
  func begun(_ change: SyncMutation) -> Timestamp { waiting[change.id] ?? Timestamp(change.createdAt) }

  /// The create that a change waits for: kind and id of its entity.
  func parent(of change: SyncMutation) -> String? {
    if let parent = change.waitsFor { return parent }
    guard change.operation == Mutation.Operation.update.rawValue else { return nil }
    let create = dead.first {
      $0.entity == change.entity && $0.kind == change.kind
        && $0.operation == Mutation.Operation.create.rawValue
    }
    return create.map { "\($0.kind) \($0.entity)" }
  }

  /// The earliest time at which a run would send something of what waits; `nil` if all of it waits for others.
  func due(at now: Timestamp) -> Timestamp? {
    guard pending <= queue.count else { return now }
    // A change does not overtake an older one of its entity.
    var entities: Set<String> = []
    let heads = queue.filter { entities.insert("\($0.kind) \($0.entity)").inserted && parent(of: $0) == nil }
    return heads.map { change in
      max(now, change.notBefore.map { Timestamp($0) } ?? now, unanswered[change.id]?.until ?? now)
    }.min()
  }

  /// The coming collision with the breaker without an intervention.
  package func forecast(at now: Timestamp) -> SyncForecast? {
    guard isBreakerOpen(at: now), let simulation else { return nil }
    return SyncForecast(
      state: state, phase: phase, openUntil: breaker?.value.until, next: simulation.next,
      nextAt: simulation.nextAt)
  }

  /// The possible next events.
  package func outlook(at now: Timestamp) -> EngineOptions {
    EngineOptions(
      state: state, phase: phase, isBreakerOpen: isBreakerOpen(at: now),
      isLimited: limit.map { $0 > now } ?? false)
  }
}
