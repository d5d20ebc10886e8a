import Foundation
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

@Suite("Sessions of the delivery client as tests")
struct DeliverySessionTestTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sessions")

  /// Three 503 by hand, a kill while the breaker is open, and the way back.
  private static func killedOutage() throws -> KeptSession<DeliveryScenario> {
    var scenario = DeliveryScenario.quiet(
      [DeliveryTimedAct(at: .zero, .generate(perMinute: 40))], seconds: nil)
    scenario.title = "Killed in an outage"
    scenario.story = """
      Somebody makes the endpoint answer 503 until the breaker opens, sends the app to the background and kills it. \
      The next process begins from the disk and delivers everything.
      """
    let simulation = DeliverySimulation(scenario)
    simulation.run(until: .seconds(15))
    let mark = simulation.now
    simulation.perform(byHand: .fault(EndpointFaultSetting(.serverError)))
    simulation.perform(byHand: .flush)
    simulation.run(until: .seconds(22))
    simulation.perform(byHand: .background)
    simulation.perform(byHand: .kill)
    simulation.undoFault()
    simulation.run(until: .seconds(25))
    simulation.perform(byHand: .start)
    simulation.run(until: .seconds(40))
    return try KeptSession<DeliveryScenario>(of: simulation.session, named: "KilledOutage", since: mark)
  }

  @Test func `The same acts by hand write the test that is here, letter by letter`() throws {
    let session = try Self.killedOutage()
    let files = [("KilledOutage.json5", session.json5), ("KilledOutageTests.swift", session.swift)]
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      for (name, text) in files { try Data(text.utf8).write(to: Self.folder.appendingPathComponent(name)) }
      Issue.record("recorded \(files.map(\.0))")
      return
    }
    for (name, text) in files {
      #expect(try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8) == text)
    }
  }

  @Test func `It tells of the breaker, the kill and the delivery, and of nothing before the mark`() throws {
    let session = try Self.killedOutage().scenario
    #expect(session.name == "KilledOutage" && session.expectedFrom == .seconds(15))
    let story = session.expected.joined(separator: "\n")
    for words in ["503", "open for", "kill", "initializing -> ready", "from disk: 200"] {
      #expect(story.contains(words), "\(words)")
    }
    #expect(session.expected[0].hasPrefix("     15.0"))
    #expect(try session.differences().isEmpty)
  }

  @Test(arguments: ["", "1st", "a b", "../a", "a\n", String(repeating: "a", count: 61)])
  func `A name that makes no type is refused`(name: String) {
    #expect(throws: KeptSession<DeliveryScenario>.Failure.name) {
      try KeptSession<DeliveryScenario>(of: .quiet(), named: name, since: .zero)
    }
  }

  @Test func `A session that no file can say is refused, with the reason`() throws {
    #expect(
      throws: KeptSession<DeliveryScenario>.Failure.unreadable(
        ScenarioError(place: "duration", text: "is missing", line: 2, column: 1))
    ) { try KeptSession<DeliveryScenario>(of: .quiet(seconds: nil), named: "a", since: .zero) }
    var untitled = DeliveryScenario.quiet()
    untitled.title = ""
    let test = try KeptSession<DeliveryScenario>(of: untitled, named: "Z_9", since: .seconds(-1))
    #expect(test.scenario.title == "Z_9" && test.swift.contains("struct Z_9Tests {"))
  }
}
