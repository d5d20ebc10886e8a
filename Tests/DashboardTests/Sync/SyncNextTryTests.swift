import Codecs
import Foundation
import MisterMetrics
import Platform
import Scenarios
import TestSupport
import Testing

@testable import Dashboard
@testable import Sync
@testable import SyncSimulation

@Suite("The next try that the sentence of the sync engine names")
struct SyncNextTryTests {
  /// Moments of each scenario; together more than a thousand.
  private static let moments = 72
  /// How long an engine is watched that is not to try, in seconds.
  private static let watch = 130.0

  @Test(
    "happens then and not before, with as many changes waiting, if nobody does anything",
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
      let (pending, begun) = try tries(after: moment, of: scenario)
      #expect(state.pending == pending, place)
      let now = start + moment / .seconds(1)
      let sentence = EngineSentence(of: state, at: now, zone: .utc).wordings[0]
      if pending > 0, state.trouble == nil, state.phase == nil { #expect(sentence.contains("wait"), place) }
      guard state.phase == nil else {
        #expect(state.nextTry(at: now) == nil, place)
        continue
      }
      if let next = state.nextTry(at: now) {
        // What comes later than that is not waited for.
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
  /// nobody does anything from then on.
  private func tries(after moment: Duration, of scenario: Scenario) throws -> (pending: Int, begun: Double?) {
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
    let pending = try simulation.stores.makeStore().pendingCount()
    let own = Set([SyncTrigger.retry, .queue, .backoff].map(\.rawValue))
    while let next = simulation.next, next.at <= moment + .seconds(Self.watch) {
      simulation.step()
      for entry in simulation.takeEntries() where entry.metric == AnyMetric(SyncMetric.transition) {
        let decision = try entry.decode(SyncTransition.self)
        if decision.event == "syncRequested", !decision.refused, own.contains(decision.trigger ?? "") {
          return (pending, decision.engineTime)
        }
      }
    }
    return (pending, nil)
  }
}

extension TimedAct {
  /// Whether the device sleeps at a moment because of it.
  fileprivate func isSleep(at moment: Duration) -> Bool {
    if case .leap(let length) = act { at <= moment && moment <= at + length } else { false }
  }
}
