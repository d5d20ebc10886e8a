package import Platform
package import Sync
package import SyncSimulation
import TelemetryCore

/// All that is known of a sync engine at one moment.
package struct EngineState: FoldedEngine {
  package typealias Record = SyncRecord

  /// A way from one state to another.
  package struct Arrow: Hashable, Sendable {
    package let from: SyncState.Kind
    package let to: SyncState.Kind
  }

  /// How often an arrow was taken, and how long the state before it had lasted.
  package struct Tally: Sendable, Equatable {
    package var count = 0
    package var lastAt = Timestamp(0)
    /// Seconds that the state before lasted, over all times.
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
    /// Since when runs have ended that way.
    package let since: Timestamp
    /// How many in a row.
    package var count = 1
    /// The decision that ended the last of them.
    package var last: RecordedValue<SyncTransition>
  }

  static let queueLimit = 1000

  package internal(set) var basics = EngineBasics<SyncRecord, SyncHappening>()
  package internal(set) var configuration = SyncConfiguration()
  /// The last words of its scenario's story; `nil` if there were none.
  package internal(set) var story: String?

  package internal(set) var state = SyncState.Kind.idle
  /// When the state was entered; `nil` before the first entry.
  package internal(set) var since: Timestamp?
  /// The transition that led here.
  package internal(set) var cause: RecordedValue<SyncTransition>?
  /// The phase of the active run; `nil` when none is active.
  package internal(set) var phase: SyncStateMachine.ActiveRun.Phase?
  package internal(set) var arrows: [Arrow: Tally] = [:]
  /// The latest decisions, refused ones included, oldest first.
  package internal(set) var transitions: [RecordedValue<SyncTransition>] = []
  package internal(set) var decisions = 0
  /// The newest request of each change that has no answer of its own, by the change's id.
  var requests: [String: Int] = [:]
  /// The numbers of those of which nothing is known yet.
  var openRequests: Set<Int> = []
  package internal(set) var refusals = 0

  /// When the breaker opened for as long as it is open now.
  package internal(set) var openedAt: Timestamp?
  /// How many conflicts were decided.
  package internal(set) var conflicts = 0

  package internal(set) var pending = 0
  /// The length of the queue over time, oldest first.
  package internal(set) var depths: [RecordedValue<Int>] = []
  /// The waiting mutations that are known, in order of their first entry.
  package internal(set) var queue: [SyncMutation] = []
  /// Since when each of them is known to wait, by its id.
  package internal(set) var waiting: [String: Timestamp] = [:]
  package internal(set) var outcomes: [SyncMutation.State: Int] = [:]
  /// The mutations that were abandoned and neither queued again nor cleared, oldest first.
  package internal(set) var dead: [SyncMutation] = []
  /// The failure that ended all runs since the last one that did not fail.
  package internal(set) var trouble: Trouble?
  /// When the first 429 of a row came; `nil` when the server has answered otherwise since.
  package internal(set) var limitedSince: Timestamp?
  /// When the first change was queued since the last run began; `nil` where none was, or it did not say.
  package internal(set) var queuedSince: Timestamp?

  package internal(set) var runs: [RecordedValue<SyncRun>] = []
  package internal(set) var intervals: [String: IntervalTally] = [:]
  package internal(set) var events: [String: Int] = [:]

  package init() {}

  /// True if anything was ever recorded of a sync engine.
  package var isEmpty: Bool { since == nil && simulation == nil && pending == 0 && queue.isEmpty }

  package var isRunning: Bool { true }

  /// When the last run succeeded.
  package var lastSuccess: Timestamp? { runs.last { $0.value.status == .success }?.time }

  /// True if there is no network, as far as the record tells.
  package var isOffline: Bool {
    transitions.last?.value.online == false
      || faults.contains { $0.fault == SimulatedFault.offline.rawValue && $0.isOn }
  }

  /// True if the record tells what the engine tries by itself: older ones do not.
  package var tellsNextTry: Bool { transitions.last?.value.online != nil }

  /// When the engine tries next by itself, unless somebody asks before; `nil` during a run, and when nothing makes it.
  package func nextTry(at now: Timestamp) -> Timestamp? {
    guard let last = transitions.last?.value, phase == nil, !isOffline else { return nil }
    if isBreakerOpen(at: now) { return openUntil }
    var times = [last.nextTry.map { Timestamp($0) }].compactMap(\.self)
    if let delay = configuration.queueDelay, let queuedSince, pending > 0 {
      let queued = queuedSince + delay / .seconds(1)
      if queued >= last.floor.map({ Timestamp($0) }) ?? queued { times.append(queued) }
    }
    return times.min()
  }

  /// When the app of a simulation asks for a run, where that is what comes next.
  var appAsks: Timestamp? {
    guard let simulation, let next = simulation.next, let at = simulation.nextAt else { return nil }
    return SyncForecast.asksForRun(next) ? Timestamp(at) : nil
  }

  /// The coming collision with the breaker if nothing is done.
  package func forecast(at now: Timestamp) -> SyncForecast? {
    guard isBreakerOpen(at: now), let simulation else { return nil }
    return SyncForecast(
      state: state, phase: phase, openUntil: breaker?.value.until, next: simulation.next,
      nextAt: simulation.nextAt)
  }

  /// The possible next events.
  package func outlook(at now: Timestamp) -> EngineOptions {
    EngineOptions(state: state, phase: phase, isBreakerOpen: isBreakerOpen(at: now))
  }
}
