import Foundation
import Scenarios
import SimulationKit
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Scenarios as text")
struct ScenarioTextTests {
  private static func read(_ text: String) throws -> Scenario { try Scenario(json5: Data(text.utf8)) }

  @Test func `A scenario that is written reads as it was`() throws {
    for file in Scenarios.stories {
      let scenario = try Scenario(json5: Data(file.bytes))
      let text = scenario.json5
      #expect(try Self.read(text) == scenario, "\(file.name)")
      #expect(try Self.read(text).json5 == text)
      let widest = text.split(separator: "\n").filter { !$0.hasPrefix("    \"") }.map(\.count).max() ?? 0
      #expect(widest <= 120 || text.contains("server: ["), "\(file.name)")
    }
  }

  @Test func `So do all acts, moments and texts, whatever is in them`() throws {
    for seed in 0..<60 as Range<UInt64> {
      var person = RandomPerson(seed: seed)
      let milliseconds = 3_000 * Double(person.number(1_000_000_000)) + Double(person.number(1000))
      var scenario = Scenario(
        name: "n_\(seed)-A", title: person.text(), story: person.text(), seed: seed &* 0x9E37_79B9_7F4A_7C15,
        start: Date(timeIntervalSinceReferenceDate: milliseconds / 1000),
        // The last act is before second 24.
        duration: .milliseconds(24_000 + person.number(1_000_000)))
      scenario.isSettled = seed.isMultiple(of: 2)
      scenario.expected = (0..<3).map { _ in person.text() } + [""]
      scenario.expectedFrom = .milliseconds(person.number(2_000))
      scenario.acts = (0..<30).map { number in
        TimedAct(
          at: .milliseconds(number * 777 + person.number(700)), person.act(), isByHand: person.number(2) == 0)
      }
      let text = scenario.json5
      #expect(try Self.read(text) == scenario, "\(text)")
      #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 127 }, "\(text)")
    }
  }

  @Test func `A text goes on behind a backslash at the end of a line, and only a text`() throws {
    let text = """
      // not here \\
      { name: "n", /* nor " here \\
      */ title: 'it\\'s \\
      one', story: "a\\\\", start: "2026-11-21T08:00:00.5Z", duration: 0,
      """
    let scenario = try Self.read(text + "}")
    #expect(scenario.title == "it's one" && scenario.story == "a\\")
    #expect(scenario.start.timeIntervalSinceReferenceDate == 816_940_800.5)
    #expect(try Self.read((text + "}").replacingOccurrences(of: "\n", with: "\r\n")) == scenario)
    let wrong = text + "\n  seed: ,\n}"
    do throws(ScenarioError) {
      _ = try Scenario(json5: Data(wrong.utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains("line 5") || !error.message.contains("line"), "\(error.message)")
    }
  }

  @Test(
    arguments: [
      ("2026-11-21T08:00:00.123Z", 0.123), ("2026-11-21T08:00:00.9996Z", 1),
      ("2026-11-21T09:00:00.250+01:00", 0.25),
      ("2026-11-21T08:00:00Z", 0), ("2026-11-21T08:00:00.Z", nil), ("2026-11-21T08:00:00.1", nil),
      ("2026-11-21T08:00.5:00Z", nil), (".5", nil), ("", nil), ("2026-11-21T08:00:00.1234567890Z", nil),
    ] as [(String, Double?)])
  func `Moments have up to nine decimals and are read to the millisecond`(text: String, seconds: Double?) {
    let base = 816_940_800.0
    #expect(ScenarioMoment.date(text)?.timeIntervalSinceReferenceDate == seconds.map { base + $0 })
  }

  @Test func `What is out of range is moved to what a file can say`() throws {
    let acts: [SimulationAct] = [
      .generate(isRemote: true, perMinute: .nan), .generate(isRemote: false, perMinute: .infinity),
      .trigger(every: .zero, afterChanges: false), .trigger(every: .seconds(1e12), afterChanges: true),
      .leap(.seconds(-5)), .leap(.seconds(1e12)), .leap(.microseconds(1_600)),
      .change(SimulatedChange(.create, kind: "event", count: -3)),
      .remoteChange(SimulatedChange(.delete, kind: "event", count: .max)),
      .fault(FaultSetting(.latency, amount: .nan, probability: .nan, scope: FaultScope(.push, kind: ""))),
    ]
    var scenario = Scenario.quiet()
    scenario.acts = acts.enumerated().map { TimedAct(at: .microseconds($0.offset * 1_300), $0.element) }
    #expect(try Self.read(scenario.json5) == scenario)
    #expect(scenario.acts[6].act == .leap(.milliseconds(2)) && scenario.acts[6].at == .milliseconds(8))
  }
}
