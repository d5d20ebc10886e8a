import Foundation
import MisterMetricsCore
import Scenarios
import Testing

@testable import Sync
@testable import SyncSimulation

/// A scenario that was played to its end, and what its record says.
struct PlayedScenario {
  let simulation: Simulation
  let entries: [MetricEntry]

  /// Plays a scenario.
  init(_ scenario: Scenario, seed: UInt64? = nil, pacing: Simulation.Pacing? = nil) throws {
    simulation = try Simulation(scenario, seed: seed)
    try simulation.run(pacing: pacing)
    entries = simulation.takeEntries()
  }

  init(_ simulation: Simulation) {
    self.simulation = simulation
    entries = simulation.takeEntries()
  }

  /// The record of a metric.
  func values<Value: MetricValue>(_ metric: Metric<Value>) throws -> [Value] {
    try entries.filter { $0.metric == AnyMetric(metric) }.map { try $0.decode(Value.self) }
  }

  /// The transitions as lines of text.
  var lines: [String] {
    get throws { try values(SyncMetric.transition).map(TransitionFormatter.text) }
  }

  /// The bytes of a metrics file with these entries.
  var bytes: [UInt8] {
    get throws {
      var bytes: [UInt8] = []
      for entry in entries { try LineEncoder.append(entry, to: &bytes) }
      return bytes
    }
  }
}

extension Scenario {
  /// One of the program's stories.
  static func story(_ name: String) throws -> Scenario {
    let file = try #require(Scenarios.stories.first { $0.name == name })
    return try Scenario(json5: Data(file.bytes))
  }

  /// A scenario of a test: nothing happens unless it says so.
  static func quiet(_ acts: [TimedAct] = [], seconds: Int = 600, content: [Content] = []) -> Scenario {
    var scenario = Scenario(
      name: "quiet", title: "Quiet", seed: 1, start: Date(timeIntervalSinceReferenceDate: 800_000_000),
      duration: .seconds(seconds))
    scenario.acts = acts
    scenario.content = content
    scenario.isSettled = true
    return scenario
  }
}
