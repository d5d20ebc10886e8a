import Foundation
import Scenarios
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

@Suite("Scenario files of the delivery client")
struct DeliveryScenarioReaderTests {
  private static func text(_ members: String = "", acts: String = "") -> String {
    """
    { name: "n", title: "t", story: "s", start: "2026-11-21T08:00:00Z", duration: 60, \(members)
      acts: [\(acts)] }
    """
  }

  static let wrong: [(text: String, message: String)] = [
    ("[]", "expected an object"),
    ("{", "this is not JSON5"),
    ("{}", "name: is missing"),
    ("{ name: \"a/b\" }", "name: only letters, digits"),
    (text("engine: \"sync\","), "engine: 'sync' is not 'delivery'"),
    (text("settled: true,"), "settled: unknown member; choose one of acts,"),
    (text("seed: -1,"), "seed: expected a whole number from 0 to 9223372036854775807"),
    (text("options: 1,"), "options: expected an object"),
    (
      text("options: { maxQueueEvents: 0 },"),
      "options.maxQueueEvents: expected a whole number from 1 to 1000000"
    ),
    (
      text("options: { maxDiskEvents: -1 },"),
      "options.maxDiskEvents: expected a whole number from 0 to 1000000"
    ),
    (
      text("options: { flushIntervalSeconds: 1.5 },"), "options.flushIntervalSeconds: expected a whole number"
    ),
    (text("options: { trackLifecycleEvents: 1 },"), "options.trackLifecycleEvents: expected true or false"),
    (text("options: { writeKey: \"x\" },"), "options.writeKey: unknown member; choose one of batchSize,"),
    (text("expected: [1],"), "expected[0]: expected a string"),
    (text(acts: "{ do: \"flush\" }"), "acts[0].at: is missing"),
    (text(acts: "{ at: -1, do: \"flush\" }"), "acts[0].at: -1.0 is not between 0 and 316224000"),
    (text(acts: "{ at: NaN, do: \"flush\" }"), "acts[0].at"),
    (text(acts: "{ at: 1, do: \"dance\" }"), "acts[0].do: unknown act 'dance'; choose one of fault,"),
    (text(acts: "{ at: 1, do: \"flush\", now: true }"), "acts[0].now: unknown member"),
    (
      text(acts: "{ at: 1, do: \"track\", count: 0 }"),
      "acts[0].count: expected a whole number from 1 to 100000"
    ),
    (text(acts: "{ at: 1, do: \"generate\", perMinute: 1e9 }"), "acts[0].perMinute: 1000000000.0 is not"),
    (text(acts: "{ at: 1, do: \"fault\", fault: \"rain\" }"), "acts[0].fault: unknown fault 'rain'"),
    (
      text(acts: "{ at: 1, do: \"fault\", fault: \"serverError\", amount: 200 }"),
      "acts[0].amount: 200.0 is not between 500 and 599"
    ),
    (
      text(acts: "{ at: 1, do: \"fault\", fault: \"latency\", probability: 2 }"),
      "acts[0].probability: 2.0 is not between 0 and 1"
    ),
    (
      text(acts: "{ at: 1, do: \"fault\", fault: \"latency\", scope: \"push\" }"),
      "acts[0].scope: 'push' is none of all, memory, disk"
    ),
  ]

  @Test(arguments: wrong) func `What is wrong with a file is said with its place`(
    text: String, message: String
  ) {
    do throws(ScenarioError) {
      _ = try DeliveryScenario(json5: Data(text.utf8))
      Issue.record("\(text) was read")
    } catch {
      // Where a line is to blame, it comes first.
      let words = error.message.replacing(#/^line \d+, column \d+: /#, with: "")
      #expect(words.hasPrefix(message), "\(error.message)")
      #expect((error.line != nil) == (words != error.message))
    }
  }

  @Test(arguments: Scenarios.deliveryStories.map(\.name))
  func `A story that is written is read back as it was`(name: String) throws {
    let file = try #require(Scenarios.deliveryStories.first { $0.name == name })
    let scenario = try DeliveryScenario(json5: Data(file.bytes))
    #expect(try DeliveryScenario(json5: Data(scenario.json5.utf8)) == scenario)
  }

  @Test func `Every act and every fault can be written and read, in any order of time`() throws {
    var scenario = DeliveryScenario(
      name: "all", title: "All \"of\" them", story: "A\nstory", seed: .max,
      start: Date(timeIntervalSinceReferenceDate: 800_000_000), duration: .milliseconds(90_500))
    scenario.options.maxDiskEvents = 0
    scenario.options.trackLifecycleEvents = true
    let kinds: [EventDraft.Kind] = [.track, .identify, .group, .screen, .page, .alias]
    var acts: [DeliverySimulationAct] = kinds.map { .event(SimulatedEvent($0, name: "n", count: 2)) }
    acts += EndpointFault.allCases.map { .fault(EndpointFaultSetting($0, probability: 0.5, scope: .disk)) }
    acts += EndpointFault.allCases.map { .fault(EndpointFaultSetting($0, isOn: false)) }
    acts += [
      .clearFaults, .generate(perMinute: 1.5), .flush, .sendRefusedAgain, .background, .foreground, .reset,
      .start, .terminate,
      .kill, .leap(.seconds(3)),
    ]
    scenario.acts = acts.enumerated().map { DeliveryTimedAct(at: .milliseconds($0.offset), $0.element) }
    scenario.expectedFrom = .seconds(1)
    scenario.expected = ["a \\ line"]
    #expect(try DeliveryScenario(json5: Data(scenario.json5.utf8)) == scenario)
    var shuffled = scenario
    shuffled.acts.reverse()
    #expect(try DeliveryScenario(json5: Data(shuffled.json5.utf8)).acts == scenario.acts)
    let simulation = DeliverySimulation(shuffled)
    for _ in 0..<1000 where simulation.step() {}
    #expect(simulation.steps > acts.count)
  }
}
