import Foundation
import MisterMetricsCore
import Scenarios
import SimulationKit
import TestSupport
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

@Suite("A recorded part of a delivery client as a scenario")
struct DeliveryReproductionTests {
  static let stories = Scenarios.deliveryStories.map(\.name)

  private static func record(of name: String) throws -> [RecordedDelivery] {
    let file = try #require(Scenarios.deliveryStories.first { $0.name == name })
    let simulation = DeliverySimulation(try DeliveryScenario(json5: Data(file.bytes)))
    while simulation.step() {}
    return simulation.takeEntries().compactMap { RecordedDelivery($0) }
  }

  /// Reproduces a window and reads the scenario back from its file.
  private static func reproduce(
    _ entries: [RecordedDelivery], until end: Double? = nil, window: Double = 1e9
  ) throws -> DeliveryReproduction {
    let end = try end ?? #require(entries.last?.time)
    let found = try DeliveryReproduction(of: entries, until: end, window: window, name: "Found")
    #expect(try DeliveryScenario(json5: Data(found.scenario.json5.utf8)) == found.scenario)
    return found
  }

  @Test(arguments: stories) func `A story plays to the same decisions, or the first other one is named`(
    name: String
  ) throws {
    let found = try Self.reproduce(try Self.record(of: name))
    // No record tells of a disk that takes nothing.
    let difference =
      name == "full-disk" ? "second 31.000: recorded drop of 1: parkedFull, played 40 on disk" : nil
    #expect(
      difference.map { found.difference?.hasPrefix($0) == true } ?? (found.difference == nil),
      "\(found.words)")
    #expect(found.decisions >= 10)
  }

  @Test func `A window begins with the last start of a client before it`() throws {
    let entries = try Self.record(of: "tunnel")
    let end = try #require(entries.first?.time) + 140
    let found = try Self.reproduce(entries, until: end, window: 60)
    #expect(found.difference == nil && found.scenario.expectedFrom == .seconds(80))
    #expect(found.scenario.duration == .seconds(140) + .milliseconds(90))
  }

  @Test func `A record without a start of the client is no beginning, and one without anything is nothing`()
    throws
  {
    let entries = try Self.record(of: "tunnel").filter { !$0.isStart }
    let end = try #require(entries.last?.time)
    #expect(throws: DeliveryReproduction.Failure.noBeginning) {
      try DeliveryReproduction(of: entries, until: end, window: 60, name: "Found")
    }
    #expect(throws: DeliveryReproduction.Failure.nothing) {
      try DeliveryReproduction(of: entries, until: 0, window: 60, name: "Found")
    }
  }

  @Test(arguments: 1...UInt64(trials(8, long: 40))) func `A record that is damaged in any way ends nothing`(
    seed: UInt64
  ) throws {
    var random = SimulationRandom(seed: seed, stream: 3)
    var entries = try Self.record(of: Self.stories[random.place(in: Self.stories.count)])
    for _ in 0..<30 {
      let place = random.place(in: entries.count)
      switch random.place(in: 4) {
      case 0: entries.remove(at: place)
      case 1: entries.swapAt(place, random.place(in: entries.count))
      case 2: entries.insert(entries[random.place(in: entries.count)], at: place)
      default:
        let times = [-1e300, 1e300, 0, -1, 1e15, entries[place].time - 1e6, entries[place].time + 50]
        entries[place] = RecordedDelivery(time: times[random.place(in: times.count)], entries[place].value)
      }
    }
    let end = entries[random.place(in: entries.count)].time
    _ = try? DeliveryReproduction(of: entries, until: end, window: 600, name: "Found")
  }
}
