import Foundation
import Resilience
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Scenario files")
struct ScenarioReaderTests {
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
    (text("sead: 1,"), "sead: unknown member"),
    (text("seed: -1,"), "seed: expected a whole number from 0 to 9223372036854775807"),
    (text("seed: 1.5,"), "seed: expected a whole number"),
    (text("settled: 1,"), "settled: expected true or false"),
    (text("server: 1,"), "server: expected an array"),
    (text("server: [{ kind: \"cat\", count: 1 }],"), "server[0].kind: there is no kind 'cat'"),
    (text("server: [{ kind: \"event\" }],"), "server[0].count: is missing"),
    (
      text("server: [{ kind: \"event\", count: 1000000 }],"),
      "server[0].count: expected a whole number from 1 to 100000"
    ),
    (text("configuration: { attempt: 3 },"), "configuration.attempt: unknown member"),
    (text("configuration: { attempts: 0 },"), "configuration.attempts: 0 is not between"),
    (text("configuration: { attempts: \"x\" },"), "configuration.attempts: "),
    (text("expected: [1],"), "expected[0]: expected a string"),
    (text(acts: "{ do: \"sync\" }"), "acts[0].at: is missing"),
    (text(acts: "{ at: 1 }"), "acts[0].do: is missing"),
    (text(acts: "{ at: -1, do: \"sync\" }"), "acts[0].at: -1.0 is not between 0 and 316224000"),
    (text(acts: "{ at: NaN, do: \"sync\" }"), "acts[0].at"),
    (text(acts: "{ at: 1, do: \"dance\" }"), "acts[0].do: unknown act 'dance'; choose one of fault,"),
    (text(acts: "{ at: 1, do: \"sync\", now: true }"), "acts[0].now: unknown member"),
    (text(acts: "{ at: 1, do: \"fault\", fault: \"rain\" }"), "acts[0].fault: unknown fault 'rain'"),
    (
      text(acts: "{ at: 1, do: \"fault\", fault: \"latency\", amount: 1e9 }"),
      "acts[0].amount: 1000000000.0 is not between 0 and 60000"
    ),
    (
      text(acts: "{ at: 1, do: \"fault\", fault: \"latency\", probability: 2 }"),
      "acts[0].probability: 2.0 is not between 0 and 1"
    ),
    (
      text(acts: "{ at: 1, do: \"fault\", fault: \"latency\", scope: \"pushes\" }"),
      "acts[0].scope: 'pushes' is none of"
    ),
    (
      text(acts: "{ at: 1, do: \"sync\", caption: \"\(String(repeating: "a", count: 151))\" }"),
      "acts[0].caption: has 151 characters; at most 150 fit the screen"
    ),
    (text(acts: "{ at: 1, do: \"sync\", caption: \"\" }"), "acts[0].caption: expected a string"),
    (
      text(acts: "{ at: 1, do: \"configure\", configuration: { batchSize: 0 } }"),
      "acts[0].configuration.batchSize: 0 is not between"
    ),
  ]

  @Test(arguments: wrong) func `What is wrong with a file is said with its place`(
    text: String, message: String
  ) {
    do throws(ScenarioError) {
      _ = try Scenario(json5: Data(text.utf8))
      Issue.record("\(text) was read")
    } catch {
      // Where a line is to blame, it comes first.
      let words = error.message.replacing(#/^line \d+, column \d+: /#, with: "")
      #expect(words.hasPrefix(message), "\(error.message)")
      #expect((error.line != nil) == (words != error.message))
    }
  }

  @Test func `A file says when it begins, what is there and what happens, in any order`() throws {
    let scenario = try Scenario(
      json5: Data(
        Self.text(
          "seed: 7, settled: true, configuration: { attempts: 3, baseBackoffSeconds: 10 },",
          acts: """
            { at: 2, do: "online" },
            { at: 1.5, do: "fault", fault: "latency", amount: 5, scope: "push:event", probability: 0.5 },
            { at: 2, do: "create", kind: "event", count: 2, poison: true },
            """
        ).utf8))
    #expect(scenario.seed == 7 && scenario.isSettled && scenario.duration == .seconds(60))
    #expect(scenario.configuration.attempts == 3)
    #expect(scenario.configuration.breaker.backoff.base == .seconds(10))
    let latency = FaultSetting(
      .latency, amount: 5, probability: 0.5, scope: FaultScope(.push, kind: "event"))
    #expect(
      scenario.acts == [
        TimedAct(at: .milliseconds(1500), .fault(latency)),
        TimedAct(at: .seconds(2), .fault(FaultSetting(.offline, isOn: false))),
        TimedAct(at: .seconds(2), .change(SimulatedChange(.create, kind: "event", count: 2, isPoison: true))),
      ])
  }

  @Test func `A scope reads as it is written`() {
    for scope in [FaultScope(), FaultScope(.pull), FaultScope(.push, kind: "event"), FaultScope(kind: "x:y")]
    {
      #expect(FaultScope(scope.description) == scope)
    }
    #expect(FaultScope("push:") == nil && FaultScope("") == nil && FaultScope("Push") == nil)
  }
}
