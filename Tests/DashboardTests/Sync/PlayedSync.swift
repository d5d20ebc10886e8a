import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens
@testable import Sync
@testable import SyncSimulation

/// A played scenario and its record.
struct PlayedSync {
  struct Entry {
    let time: Double
    let record: SyncRecord
  }

  let name: String
  let entries: [Entry]
  let log: SyncLog
  /// When the device falls asleep, and wakes up.
  let sleeps: [ClosedRange<Double>]
  /// When the power is cut.
  let cuts: [Double]
  /// True if the device's clock is set while changes wait.
  let isSkewed: Bool

  init(_ scenario: Scenario) throws {
    let simulation = try Simulation(scenario)
    while simulation.step() {}
    let raw = try SyncFixture.feed(simulation.takeEntries()).engines.sync.after(0)
    var log = SyncLog()
    log.append(raw)
    (name, self.log) = ("\(scenario.name) \(scenario.seed)", log)
    entries = raw.compactMap { entry in
      SyncRecord(entry).map { Entry(time: entry.time.seconds, record: $0) }
    }
    let start = scenario.start.timeIntervalSinceReferenceDate
    cuts = scenario.acts.filter { $0.act == .powerCut }.map { start + $0.at / .seconds(1) }
    isSkewed = entries.contains { entry in
      if case .fault(let fault) = entry.record { fault.fault == "clockSkew" } else { false }
    }
    sleeps = scenario.acts.compactMap { act in
      guard case .leap(let length) = act.act else { return nil }
      let begin = start + act.at / .seconds(1)
      return begin...(begin + length / .seconds(1))
    }
  }

  static func story(_ name: String) throws -> PlayedSync {
    let file = try #require(Scenarios.stories.first { $0.name == name })
    return try PlayedSync(try Scenario(json5: Data(file.bytes)))
  }

  /// A scenario of any faults, changes, commands and requests at any time.
  static func random(seed: UInt64) throws -> PlayedSync {
    var random = SeededGenerator(seed: seed)
    let length = Int.random(in: 60...160, using: &random)
    var scenario = Scenario(
      name: "random", title: "Random", seed: seed,
      start: Date(timeIntervalSinceReferenceDate: 800_000_000.25), duration: .seconds(length))
    scenario.isSettled = seed % 3 != 0
    scenario.content = [.init(kind: "eventType", count: 3), .init(kind: "event", count: 10)]
    let period = Int.random(in: 4...40, using: &random)
    scenario.acts = [
      TimedAct(
        at: .zero,
        .trigger(every: seed % 4 == 0 ? nil : .seconds(period), afterChanges: Bool.random(using: &random))),
      TimedAct(
        at: .zero, .generate(isRemote: false, perMinute: Double.random(in: 0...15, using: &random))),
    ]
    for _ in 0..<Int.random(in: 5...16, using: &random) {
      let at = Duration.milliseconds(Int.random(in: 0..<length * 1000, using: &random))
      scenario.acts.append(TimedAct(at: at, act(using: &random)))
    }
    scenario.acts.sort { $0.at < $1.at }
    return try PlayedSync(scenario)
  }

  private static func act(using random: inout SeededGenerator) -> SimulationAct {
    let kinds = SyncDomain.sample.kinds.map(\.name)
    let change = SimulatedChange(
      [.create, .create, .update, .delete][Int.random(in: 0..<4, using: &random)],
      kind: kinds[Int.random(in: 0..<kinds.count, using: &random)],
      count: Int.random(in: 1...4, using: &random),
      isPoison: Int.random(in: 0..<6, using: &random) == 0)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: return .fault(setting(using: &random))
    case 8: return .clearFaults
    case 9..<14: return .change(change)
    case 14: return .requestSync
    case 15: return .resetBreaker
    case 16: return .resetStore
    case 17: return Bool.random(using: &random) ? .clearPending : .forceResync
    case 18: return .leap(.seconds(Int.random(in: 1...30, using: &random)))
    default: return Bool.random(using: &random) ? .powerCut : .remoteChange(change)
    }
  }

  private static func setting(using random: inout SeededGenerator) -> FaultSetting {
    let faults: [SimulatedFault] = [
      .rateLimit, .rateLimitRetryAfter, .serverError, .dropReply, .dropRequest, .latency, .loginPage,
      .offline, .unauthorized, .disconnect, .clockSkew, .partialBatch,
    ]
    let calls: [SimulatedCall?] = [nil, .probe, .push, .push, .pull, .bootstrap]
    return FaultSetting(
      faults[Int.random(in: 0..<faults.count, using: &random)], amount: nil,
      probability: Bool.random(using: &random) ? 1 : 0.6,
      scope: FaultScope(calls[Int.random(in: 0..<calls.count, using: &random)], kind: nil),
      isOn: Int.random(in: 0..<4, using: &random) > 0)
  }
}

/// The state of an engine at a moment, counted from the record apart from the screen.
struct SyncLedger {
  private(set) var waiting: [String: (change: SyncMutation, since: Double)] = [:]
  private(set) var dead: Set<String> = []
  /// Sent changes whose request has ended without an answer for them.
  private(set) var unanswered: Set<String> = []
  private(set) var runs: [(time: Double, run: SyncRun)] = []
  private(set) var isActive = false
  /// The begin of the last run.
  private(set) var begun = 0.0
  /// The last step of the active run.
  private(set) var called = 0.0
  private(set) var offline: Double?
  private(set) var asks: Double?
  private(set) var breaker: SyncBreaker?

  init(_ entries: some Sequence<PlayedSync.Entry>) { for entry in entries { take(entry) } }

  var refused: Int { waiting.values.count { $0.change.attempts > 0 } }

  private mutating func take(_ entry: PlayedSync.Entry) {
    switch entry.record {
    case .mutation(let change):
      unanswered.remove(change.id)
      dead.remove(change.id)
      switch change.state {
      case .queued, .sent: waiting[change.id] = (change, waiting[change.id]?.since ?? entry.time)
      case .dead: dead.insert(change.id)
      case .acknowledged, .cleared, .superseded, .erased: break
      }
      if ![.queued, .sent].contains(change.state) { waiting[change.id] = nil }
      if change.state == .sent { called = entry.time }
    case .transition(let decision) where !decision.refused: take(decision, at: entry.time)
    case .run(let run): runs.append((entry.time, run))
    case .fault(let fault) where fault.fault == "offline":
      offline = fault.on ? offline ?? entry.time : nil
    case .breaker(let breaker): self.breaker = breaker
    case .simulation(let simulation):
      asks = simulation.next.flatMap { SyncForecast.asksForRun($0) ? simulation.nextAt : nil }
    default: break
    }
  }

  private mutating func take(_ decision: SyncTransition, at time: Double) {
    isActive = decision.phase != nil
    if decision.isStep { called = time }
    if decision.event == "syncRequested" { begun = time }
    let ends = ["rateLimited", "pushInterrupted", "batchFailed", "runFailed", "runCancelled"]
    guard ends.contains(decision.event) else { return }
    for (id, known) in waiting where known.change.state == .sent { unanswered.insert(id) }
  }
}

extension PlayedSync {
  /// True if the record does not know what the engine does: the device sleeps, or the app starts again.
  func isUnknown(at now: Double) -> Bool {
    if sleeps.contains(where: { $0.contains(now) }) { return true }
    guard let cut = cuts.last(where: { $0 <= now }) else { return false }
    return !entries.contains { entry in
      guard case .transition = entry.record else { return false }
      return entry.time >= cut && entry.time <= now
    }
  }
}

extension SyncTransition {
  /// True for a step of a run, as opposed to a command of the app.
  var isStep: Bool { !refused && (["server", "rule"].contains(origin) || event == "syncRequested") }

  /// True for what the app, a person or the network does.
  var isCommand: Bool {
    ["networkReturned", "breakerReset", "pendingCleared", "resyncForced", "cursorSkipped", "storeReset"]
      .contains(event)
  }
}
