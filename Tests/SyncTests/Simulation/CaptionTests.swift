import Foundation
import MisterMetricsCore
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("The captions of a story")
struct CaptionTests {
  private struct Told: Hashable {
    let moment: Double
    let text: String
    let branch: Int
  }

  private func told(_ played: PlayedScenario) throws -> [Told] {
    try played.entries.filter { $0.metric == AnyMetric(SyncMetric.caption) }.map { entry in
      let caption = try entry.decode(SyncCaption.self)
      let start = played.simulation.scenario.start.timeIntervalSinceReferenceDate
      let moment = ((entry.timestamp.timeIntervalSinceReferenceDate - start) * 1000).rounded() / 1000
      return Told(moment: moment, text: caption.text, branch: caption.branch)
    }
  }

  @Test(arguments: ScenarioTests.names)
  func `A story tells from its start on what happens, each at its moment`(name: String) throws {
    let scenario = try Scenario.story(name)
    // Their calendar is the record's: an hour's error of it is not theirs.
    guard name != "clock-jump" else { return }
    let captions = scenario.acts.compactMap { timed in
      timed.caption.map { Told(moment: timed.at / .seconds(1), text: $0, branch: 0) }
    }
    #expect(captions.count >= 3)
    #expect((captions.first?.moment ?? 60) < 5)
    // One row of a terminal of 80 columns.
    #expect(captions.allSatisfy { $0.text.count <= 69 })
    #expect(try told(try PlayedScenario(scenario)) == captions)
  }

  @Test func `They change nothing that is decided, and are written as they were read`() throws {
    let scenario = try Scenario.story("rate-limit-storm")
    var silent = scenario
    silent.acts = scenario.acts.map { $0.captioned(nil) }
    #expect(try PlayedScenario(silent).lines == PlayedScenario(scenario).lines)
    #expect(try Scenario(json5: Data(scenario.json5.utf8)) == scenario)
    #expect(try told(try PlayedScenario(silent)).isEmpty)
  }

  @Test func `Another branch has those of what it does, and none of an act that it leaves out`() throws {
    let scenario = try Scenario.story("rate-limit-storm")
    let storms = scenario.acts.filter { if case .fault = $0.act { true } else { false } }
    let simulation = try Simulation(scenario)
    let other = try simulation.branched(at: 0, as: 1, change: nil) { $0 == storms[0] }
    while other.step() {}
    let texts = try told(PlayedScenario(other)).map(\.text)
    #expect(storms.count == 2)
    #expect(!texts.contains { $0 == storms[0].caption })
    #expect(texts.contains { $0 == storms[1].caption })
  }

  @Test func `A caption that is built too long is cut to what the screen holds`() {
    let timed = TimedAct(at: .zero, .requestSync).captioned(String(repeating: "word ", count: 40))
    #expect(timed.caption?.count == TimedAct.longestCaption)
  }
}
