import Foundation
import MisterMetricsCore
import Scenarios
import SimulationKit
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("A recorded part of an engine as a scenario")
struct ReproductionTests {
  static let stories = Scenarios.stories.map(\.name)

  /// An app's record: everything but a simulation's statements about itself and its faults.
  private static func recorded(_ simulation: Simulation) -> [RecordedEntry] {
    simulation.takeEntries().compactMap { RecordedEntry($0) }
  }

  private static func record(of name: String) throws -> [RecordedEntry] {
    let file = try #require(Scenarios.stories.first { $0.name == name })
    let simulation = try Simulation(try Scenario(json5: Data(file.bytes)))
    while simulation.step() {}
    return recorded(simulation)
  }

  /// Reproduces a window and reads the scenario back from its file.
  private static func reproduce(
    _ entries: [RecordedEntry], until end: Double? = nil, window: Double = 1e9
  ) throws -> Reproduction {
    let end = try end ?? #require(entries.last?.time)
    let found = try Reproduction(of: entries, until: end, window: window, name: "Found")
    let read = try Scenario(json5: Data(found.scenario.json5.utf8))
    #expect(read == found.scenario)
    return found
  }

  @Test("plays to the same decisions, of each story", arguments: stories)
  func story(name: String) throws {
    let found = try Self.reproduce(try Self.record(of: name))
    #expect(found.difference == nil && found.decisions > 20)
    #expect(try !found.scenario.transitions().contains { $0.contains("invalid: invalid") })
    // Gaps of the record, and the assumptions in their place.
    let words = [
      "clock-jump": "the device slept", "power-cut": "the app restarted",
      "offline-commute": "network failed",
      "captive-portal": "network failed", "conflicting-edits": "network failed",
    ]
    let assumed = found.assumptions.joined(separator: "\n")
    #expect(words[name].map(assumed.contains) ?? assumed.isEmpty)
  }

  @Test("plays to the same decisions, of a window in a story", arguments: stories)
  func window(name: String) throws {
    let entries = try Self.record(of: name)
    var random = SimulationRandom(seed: 22, stream: 1)
    let times = entries.filter { $0.transition != nil }.map(\.time)
    for _ in 0..<trials(1, long: 4) {
      let end = times[times.count / 2 + random.place(in: times.count / 2)]
      let found = try Self.reproduce(entries, until: end, window: 60)
      #expect(found.difference == nil)
    }
  }

  @Test(arguments: 1...UInt64(trials(8, long: 40))) func `A record that is damaged in any way ends nothing`(
    seed: UInt64
  ) throws {
    var random = SimulationRandom(seed: seed, stream: 3)
    let names = Self.stories
    var entries = try Self.record(of: names[random.place(in: names.count)])
    for _ in 0..<30 {
      let place = random.place(in: entries.count)
      switch random.place(in: 5) {
      case 0: entries.remove(at: place)
      case 1: entries.swapAt(place, random.place(in: entries.count))
      case 2: entries.insert(entries[random.place(in: entries.count)], at: place)
      case 3:
        entries[place] = RecordedEntry(time: entries[place].time + random.unit() * 100, entries[place].value)
      default:
        let times = [-1e300, 1e300, 0, -1, 1e15, entries[place].time - 1e6]
        entries[place] = RecordedEntry(time: times[random.place(in: times.count)], entries[place].value)
      }
    }
    let end = entries[random.place(in: entries.count)].time
    // A scenario that cannot be played says so.
    _ = try? Reproduction(of: entries, until: end, window: random.unit() * 1e5, name: "Damaged")
  }

  @Test("plays to the same decisions, of sessions by hand", arguments: 1...UInt64(trials(10, long: 50)))
  func session(seed: UInt64) throws {
    let simulation = try Simulation(.busy(seed: seed, seconds: 90))
    var person = RandomPerson(seed: seed)
    person.play(simulation, rounds: 40)
    let found = try Self.reproduce(Self.recorded(simulation))
    #expect(found.difference == nil)
  }
}
