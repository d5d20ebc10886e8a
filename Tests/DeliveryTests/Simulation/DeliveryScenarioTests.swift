import Foundation
import MisterMetricsCore
import Scenarios
import TestSupport
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

@Suite("Scenarios of the delivery client")
struct DeliveryScenarioTests {
  static let names = Scenarios.deliveryStories.map(\.name)

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Resources/scenarios/delivery")

  private static func story(_ name: String) throws -> DeliveryScenario {
    let file = try #require(Scenarios.deliveryStories.first { $0.name == name })
    return try DeliveryScenario(json5: Data(file.bytes))
  }

  /// A simulation that was played to its end, and the bytes of a metrics file of it.
  private static func played(
    _ scenario: DeliveryScenario, seed: UInt64? = nil
  ) throws -> (simulation: DeliverySimulation, bytes: [UInt8]) {
    let simulation = DeliverySimulation(scenario, seed: seed)
    while simulation.step() {}
    var bytes: [UInt8] = []
    for entry in simulation.takeEntries() { try LineEncoder.append(entry, to: &bytes) }
    return (simulation, bytes)
  }

  @Test(arguments: names) func `A story goes as its file says, decision by decision`(name: String) throws {
    let scenario = try Self.story(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try ScenarioFile.record(
        try scenario.course(), in: Self.folder.appendingPathComponent(name + ".json5"))
      Issue.record("recorded \(name)")
      return
    }
    for difference in try scenario.differences() { Issue.record("\(difference)") }
  }

  @Test func `Every file of the folder is a story of the program, under its own name`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(Self.names.map { $0 + ".json5" }) && Self.names.count >= 8)
    for name in Self.names {
      let scenario = try Self.story(name)
      #expect(scenario.name == name)
      #expect(!scenario.expected.isEmpty && scenario.story.count > 100)
      #expect(!scenario.story.contains("\n"))
    }
  }

  @Test(arguments: names) func `The same story and seed give the same bytes, another seed gives others`(
    name: String
  ) throws {
    let scenario = try Self.story(name)
    let bytes = try Self.played(scenario).bytes
    #expect(try Self.played(scenario).bytes == bytes)
    #expect(try Self.played(scenario, seed: scenario.seed &+ 1).bytes != bytes)
  }

  @Test(arguments: names)
  func `Under many seeds a story ends with every event accounted for, and none overtaken`(name: String) throws
  {
    let scenario = try Self.story(name)
    let hasSkew = scenario.acts.contains {
      if case .fault(let setting) = $0.act { setting.fault == .clockSkew } else { false }
    }
    for seed in 0..<UInt64(trials(2, long: 10)) {
      let simulation = DeliverySimulation(scenario, seed: seed)
      while simulation.step() {}
      var dropped = 0
      for entry in simulation.takeEntries() where entry.metric == AnyMetric(DeliveryMetrics.drop) {
        dropped += try entry.decode(DeliveryDrop.self).count
      }
      let taken = simulation.world.endpoint.taken
      #expect(
        simulation.world.app.made <= taken.count + simulation.world.waiting + simulation.world.lost + dropped,
        "\(name), seed \(seed)")
      // The moment of an event is the first part of its id.
      let moments = taken.compactMap { $0.split(separator: "-").first.flatMap { Int($0) } }
      #expect(hasSkew || moments == moments.sorted(), "\(name), seed \(seed)")
      #expect(Set(taken).count == taken.count)
    }
  }
}
