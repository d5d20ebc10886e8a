import Codecs
import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens
@testable import HistoryScreen
@testable import Sync
@testable import SyncSimulation

@Suite("The cause and the next try that the sentence of the sync engine names")
struct SyncNextTryTests {
  /// Moments of each scenario; together more than a thousand in a long run.
  private static let moments = trials(4, long: 72)
  /// How long an engine is watched that is not to try, in seconds.
  private static let watch = 130.0

  @Test(
    "are the engine's own: it tries then and not before, with as many changes waiting, if nobody does anything",
    arguments: SyncFixture.stories)
  func named(name: String) throws {
    let file = try #require(Scenarios.stories.first { $0.name == name })
    let scenario = try Scenario(json5: Data(file.bytes))
    let start = Timestamp(scenario.start)
    var log = SyncLog()
    log.append(try SyncFixture.feed(SyncFixture.entries(name)).engines.sync.after(0))
    let length = (scenario.duration ?? .seconds(600)) / .milliseconds(1)
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<Self.moments {
      let milliseconds = Int.random(in: 1..<Int(length), using: &generator)
      let moment = Duration.milliseconds(milliseconds)
      // Nothing happens while the device sleeps, and the record does not know that it does.
      if scenario.acts.contains(where: { $0.isSleep(at: moment) }) { continue }
      let place = Comment(rawValue: "\(name) at \(milliseconds) ms")
      let state = log.state(of: 0, at: start + moment / .seconds(1))
      let (situation, begun) = try tries(after: moment, of: scenario)
      #expect(state.pending == situation.pending, place)
      let now = start + moment / .seconds(1)
      let sentence = EngineSentence(of: state, at: now, zone: .utc).wordings[0]
      #expect(
        situation.isTold(by: sentence), "\(name) at \(milliseconds) ms: \(situation): \(sentence)")
      guard state.phase == nil else {
        #expect(state.nextTry(at: now) == nil, place)
        continue
      }
      if let next = state.nextTry(at: now) {
        // Later ones are not waited for.
        if next > now + Self.watch - 1 { continue }
        let begun = try #require(begun, place)
        #expect(
          abs((start + begun) - max(next, now)) < 0.002,
          "\(name) at \(milliseconds) ms: \(next - start), \(begun)")
      } else {
        #expect(begun == nil, place)
      }
    }
  }

  /// How many changes wait at a moment, and when the engine next begins a run by itself, in seconds since the start, if
  /// no one does anything from then on.
  private func tries(after moment: Duration, of scenario: Scenario) throws -> (Situation, begun: Double?) {
    var quiet = scenario
    quiet.acts =
      scenario.acts.filter { $0.at <= moment }
      + [
        TimedAct(at: moment, .generate(isRemote: false, perMinute: 0)),
        TimedAct(at: moment, .generate(isRemote: true, perMinute: 0)),
        TimedAct(at: moment, .trigger(every: nil, afterChanges: false)),
      ]
    quiet.duration = nil
    let simulation = try Simulation(quiet)
    simulation.run(until: moment)
    _ = simulation.takeEntries()
    let situation = try Situation(of: simulation)
    let own = Set([SyncTrigger.retry, .queue, .backoff].map(\.rawValue))
    while let next = simulation.next, next.at <= moment + .seconds(Self.watch) {
      simulation.step()
      for entry in simulation.takeEntries() where entry.metric == AnyMetric(SyncMetric.transition) {
        let decision = try entry.decode(SyncTransition.self)
        if decision.event == "syncRequested", !decision.refused, own.contains(decision.trigger ?? "") {
          return (situation, decision.engineTime)
        }
      }
    }
    return (situation, nil)
  }
}

/// How an engine is doing, asked of the engine and its store and not of its record.
private struct Situation: CustomStringConvertible {
  let pending: Int
  let dead: Int
  let refused: Int
  let phase: SyncStateMachine.ActiveRun.Phase?
  let isLimited: Bool
  let isOnline: Bool
  /// The result of the last run, and why it failed.
  let last: SyncRunSummary.Status?
  let failure: SyncError?

  init(of simulation: Simulation) throws {
    let store = simulation.world.stores.makeStore()
    pending = try store.pendingCount()
    dead = try store.deadLetters().count
    refused = try store.mutations().count { $0.attempts > 0 }
    isOnline = simulation.world.isOnline
    let told = try #require(
      simulation.world.ask { engine in
        (engine.machine.run?.phase, engine.isBreakerOpen, engine.history.first?.run)
      })
    (phase, isLimited) = (told.0, told.1)
    (last, failure) = (told.2?.status, told.2?.failure)
  }

  /// True if a sentence says that and nothing else comes first.
  func isTold(by sentence: String) -> Bool {
    func has(_ words: String...) -> Bool { words.contains { sentence.contains($0) } }
    if phase != nil { return has("Probing", "Syncing:", "Trying again", "Not syncing yet") }
    if last == .failed, let failure {
      switch failure.code {
      case .unauthorized: return has("the session has expired")
      case .forbidden: return has("the server denies access")
      default: break
      }
    }
    if isLimited { return has("the server answers 429") }
    if !isOnline { return has("ffline") }
    if last == .failed, let failure { return failure.isTold(by: sentence) }
    if dead > 0 { return has("dropped") }
    if refused > 0 { return has("refused") }
    if pending > 0 { return has("wait") && !has("nothing waits") }
    return has("In sync", "Nothing waits", "nothing waits")
  }

  var description: String {
    "\(pending) wait, \(refused) refused, \(dead) dead, \(last.map(\.rawValue) ?? "no run"), "
      + "\(failure?.code.rawValue ?? "no failure")"
  }
}

extension SyncError {
  /// True if a sentence says that this ended the last run.
  fileprivate func isTold(by sentence: String) -> Bool {
    let words: [String] =
      switch code {
      case .noConnection: ["found no connection"]
      case .timeout: ["got no answer in time"]
      case .undecodable: ["got a login page", "got an unreadable answer"]
      case .server: ["got a server error"]
      case .rateLimited: ["was told to wait (429)"]
      case .cancelled: ["was cancelled"]
      default: ["was refused", "failed"]
      }
    return words.contains { sentence.contains($0) }
  }
}

extension TimedAct {
  /// True if the device sleeps at a moment because of it.
  fileprivate func isSleep(at moment: Duration) -> Bool {
    if case .leap(let length) = act { at <= moment && moment <= at + length } else { false }
  }
}
