import Foundation
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Sessions as tests")
struct SessionTestTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sessions")

  /// Three 429 in a row by hand, and the way back.
  private static func threeLimits() throws -> SessionTest {
    var scenario = Scenario.quiet(
      [
        TimedAct(at: .zero, .trigger(every: .seconds(20), afterChanges: true)),
        TimedAct(at: .seconds(600), .clearFaults),
      ],
      content: [.init(kind: "eventType", count: 3), .init(kind: "event", count: 20)])
    scenario.title = "Three limits"
    scenario.story = """
      Somebody makes the server answer 429 and changes three entities: the breaker opens, requests are refused, and \
      after the backoff a probe finds the server well again.
      """
    scenario.duration = nil
    let simulation = try Simulation(scenario)
    simulation.run(until: .seconds(10))
    let mark = simulation.now
    simulation.perform(byHand: .fault(FaultSetting(.rateLimit, scope: FaultScope(.push))))
    for kind in ["eventType", "geofence", "event"] {
      simulation.perform(byHand: .change(SimulatedChange(.create, kind: kind)))
    }
    simulation.run(until: .seconds(21))
    simulation.undoFault()
    simulation.perform(byHand: .requestSync)
    simulation.run(until: .seconds(70))
    return try SessionTest(scenario: simulation.session, name: "ThreeLimits", since: mark)
  }

  @Test func `The same acts by hand write the test that is here, letter by letter`() throws {
    let session = try Self.threeLimits()
    let files = [("ThreeLimits.json5", session.json5), ("ThreeLimitsTests.swift", session.swift)]
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      for (name, text) in files { try Data(text.utf8).write(to: Self.folder.appendingPathComponent(name)) }
      Issue.record("recorded \(files.map(\.0))")
      return
    }
    for (name, text) in files {
      #expect(try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8) == text)
    }
  }

  @Test func `It tells of the trip, a refusal and the recovery, and of nothing before the mark`() throws {
    let session = try Self.threeLimits().scenario
    #expect(session.name == "ThreeLimits" && session.expectedFrom == .seconds(10))
    let story = session.expected.joined(separator: "\n")
    for words in [
      "syncing -> rateLimited", "refused: the breaker is open", "backoffElapsed", "pulling -> idle",
    ] {
      #expect(story.contains(words), "\(words)")
    }
    #expect(session.expected[0].hasPrefix("     10.0"))
    #expect(try session.differences().isEmpty)
  }

  @Test func `What goes otherwise is told, five times at most`() throws {
    var session = try Self.threeLimits().scenario
    let right = session.expected
    session.expected[1] = "something else"
    #expect(
      try session.differences() == ["transition 2 of ThreeLimits\n- something else\n+ \(right[1])"])
    session.expected = right + ["one more"]
    #expect(
      try session.differences() == [
        "transition \(right.count + 1) of ThreeLimits\n- one more\n+ nothing more"
      ])
    session.expected = []
    #expect(try session.differences().count == 5)
  }

  @Test(arguments: [
    "", "1st", "_a", "a b", "a-b", "ä", "a/b", "../a", "a\n",
    String(repeating: "a", count: 61),
    "a\u{301}", "a\"",
  ]) func `A name that makes no type is refused`(name: String) {
    #expect(throws: SessionTest.Failure.name) {
      try SessionTest(scenario: .quiet(), name: name, since: .zero)
    }
    #expect(!SessionTest.Failure.name.message.isEmpty)
  }

  @Test func `A word of the language is a name like any other: the type has Tests behind it`() throws {
    let test = try SessionTest(scenario: .quiet(), name: "class", since: .zero)
    #expect(test.swift.contains("struct classTests {"))
  }

  @Test func `A session that no file can say is refused, with the reason`() throws {
    var endless = Scenario.quiet()
    endless.duration = nil
    #expect(
      throws: SessionTest.Failure.unreadable(
        ScenarioError(place: "duration", text: "is missing", line: 2, column: 1))
    ) { try SessionTest(scenario: endless, name: "a", since: .zero) }
    var strange = Scenario.quiet([TimedAct(at: .zero, .change(SimulatedChange(.create, kind: "cat")))])
    strange.title = ""
    do throws(SessionTest.Failure) {
      _ = try SessionTest(scenario: strange, name: "a", since: .zero)
      Issue.record("it was written")
    } catch {
      #expect(error.message.contains("acts[0].kind: there is no kind 'cat'"), "\(error.message)")
    }
    strange.acts = []
    let test = try SessionTest(scenario: strange, name: "Z_9", since: .seconds(-1))
    #expect(test.scenario.title == "Z_9" && test.swift.contains("struct Z_9Tests {"))
  }

  @Test func `A session that began between two milliseconds is written from the nearest one`() throws {
    var scenario = Scenario.busy(seed: 7)
    scenario.start = Date(timeIntervalSinceReferenceDate: 800_000_000.123456)
    let simulation = try Simulation(scenario)
    simulation.run(until: .microseconds(30_000_700))
    let test = try SessionTest(scenario: simulation.session, name: "a", since: .microseconds(8_000_700))
    #expect(test.scenario.start.timeIntervalSinceReferenceDate == 800_000_000.123)
    #expect(test.scenario.duration == .milliseconds(30_001) && test.scenario.expectedFrom == .seconds(8))
    #expect(!test.scenario.expected.isEmpty)
  }
}
