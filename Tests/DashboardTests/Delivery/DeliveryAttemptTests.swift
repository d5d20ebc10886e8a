import Codecs
import DeliveryCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The next attempt that the sentence names")
struct DeliveryAttemptTests {
  /// Moments of each scenario; together more than a thousand in a long run.
  private static let moments = trials(4, long: 84)
  /// How long a client is watched that is not to send, in seconds.
  private static let watch = 130.0

  @Test("happens then and not before, if nobody does anything", arguments: DeliveryFixture.stories)
  func named(name: String) throws {
    let scenario = try DeliveryFixture.scenario(name)
    let start = Timestamp(scenario.start)
    var log = EngineLog<ClientState>()
    log.append(
      try SyncFixture.feed(DeliveryFixture.entries(of: scenario)).engines.delivery.after(0))
    let length = (scenario.duration ?? .seconds(600)) / .milliseconds(1)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<Self.moments {
      let milliseconds = Int.random(in: 1..<Int(length), using: &generator)
      let moment = start + Double(milliseconds) / 1000
      let state = log.state(at: moment)
      let begun = try attempt(after: .milliseconds(milliseconds), of: scenario)
      if state.isSending {
        #expect(state.nextAttempt == nil, "\(name) at \(milliseconds) ms")
      } else if let next = state.nextAttempt {
        let begun = try #require(begun, "\(name) at \(milliseconds) ms: \(next - moment) s were named")
        #expect(
          abs(begun - max(next, moment)) < 0.002,
          "\(name) at \(milliseconds) ms: named \(next - start), begun \(begun - start)")
      } else {
        #expect(begun == nil, "\(name) at \(milliseconds) ms")
      }
      let words = EngineSentence(of: state, at: moment, zone: .utc).wordings[0]
      #expect(!words.contains("does not tell") && !words.contains("nothing was recorded since"), "\(words)")
    }
  }

  /// When the first batch begins behind a moment from which on no one does anything; `nil` for none.
  private func attempt(after moment: Duration, of scenario: DeliveryScenario) throws -> Timestamp? {
    var quiet = scenario
    quiet.acts =
      scenario.acts.filter { $0.at <= moment } + [DeliveryTimedAct(at: moment, .generate(perMinute: 0))]
    quiet.duration = nil
    let simulation = DeliverySimulation(quiet)
    let start = Timestamp(scenario.start) + moment / .seconds(1)
    while let next = simulation.next, next.at <= moment + .seconds(Self.watch) {
      simulation.step()
      for entry in simulation.takeEntries() where entry.metric == AnyMetric(DeliveryMetrics.batch) {
        let batch = try entry.decode(DeliveryBatch.self)
        let begun = Timestamp(entry.timestamp) - batch.latencyMs / 1000
        if begun >= start - 0.0005 { return begun }
      }
    }
    return nil
  }
}
