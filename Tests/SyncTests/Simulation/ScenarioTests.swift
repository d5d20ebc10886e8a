import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Scenarios")
struct ScenarioTests {
  static let names = Scenarios.stories.map(\.name)

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Resources/scenarios")

  @Test(arguments: names) func `A story goes as its file says, transition by transition`(name: String) throws
  {
    let scenario = try Scenario.story(name)
    let lines = try PlayedScenario(scenario).lines
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try ScenarioFile.record(lines, in: Self.folder.appendingPathComponent(name + ".json5"))
      Issue.record("recorded \(name)")
      return
    }
    for (row, pair) in zip(scenario.expected, lines).enumerated() where pair.0 != pair.1 {
      Issue.record("\(name), transition \(row + 1)\n- \(pair.0)\n+ \(pair.1)")
    }
    #expect(lines.count == scenario.expected.count)
  }

  @Test func `Every file of the folder is a story of the program, under its own name`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".json5") }
    #expect(Set(files) == Set(Self.names.map { $0 + ".json5" }))
    for name in Self.names {
      let scenario = try Scenario.story(name)
      #expect(scenario.name == name)
      #expect(!scenario.expected.isEmpty && scenario.story.count > 100)
      #expect(!scenario.story.contains("\n"))
    }
  }

  @Test(arguments: names) func `The same story and seed give the same bytes, at any pace`(name: String) throws
  {
    let scenario = try Scenario.story(name)
    let bytes = try PlayedScenario(scenario).bytes
    #expect(try PlayedScenario(scenario).bytes == bytes)
    for speed in [1.0, 60] {
      var waited = 0.0
      let played = try PlayedScenario(scenario) { simulated, _ in waited += simulated / .seconds(1) / speed }
      #expect(try played.bytes == bytes)
      // No one waits while the device sleeps.
      let watched = played.simulation.now - scenario.leaps
      #expect(abs(waited * speed - watched / .seconds(1)) < 1e-6)
    }
    #expect(try PlayedScenario(scenario, seed: scenario.seed &+ 1).bytes != bytes)
  }

  @Test(arguments: names) func `Under many seeds a story ends with everything accounted for`(
    name: String
  )
    throws
  {
    let scenario = try Scenario.story(name)
    for seed in 0..<UInt64(trials(5, long: 100)) {
      let simulation = try Simulation(scenario, seed: seed)
      simulation.run()
      try #require(simulation.finishRun(), "\(name), seed \(seed): the run does not end")
      let played = PlayedScenario(simulation)
      try Self.expectLegal(played, "\(name), seed \(seed)")
      try Self.expectSum(played, "\(name), seed \(seed)")
    }
  }

  /// No event comes that the machine has no row for, unless a person may cause it at any time.
  private static func expectLegal(_ played: PlayedScenario, _ name: String) throws {
    for transition in try played.values(SyncMetric.transition) where transition.refused {
      let kind = try #require(SyncEvent.Kind(rawValue: transition.event))
      #expect(
        [.syncRequested, .breakerReset].contains(kind), "\(name): \(TransitionFormatter.text(transition))")
    }
    #expect(played.simulation.world.ask { $0.intervals.isEmpty } == true, "\(name): an interval is open")
    let runs = try played.values(SyncMetric.run).count
    let begun = try played.values(SyncMetric.transition).count { $0.event == "syncRequested" && !$0.refused }
    // A run of a device that loses its power has no end that anybody could write down.
    let cuts = played.simulation.scenario.acts.count { $0.act == .powerCut }
    #expect(runs <= begun && runs >= begun - cuts, "\(name)")
    let cursors = try played.values(SyncMetric.run).filter { !$0.bootstrap }.map(\.cursor)
    #expect(cursors == cursors.sorted() || name.contains("bootstrap") || name.contains("dead"), "\(name)")
  }

  /// Each queued change is acknowledged, waits, was abandoned or was cleared; and attempts have an end.
  private static func expectSum(_ played: PlayedScenario, _ name: String) throws {
    var fates: [String: SyncMutation.State] = [:]
    for mutation in try played.values(SyncMetric.mutation) {
      #expect(mutation.attempts <= 5, "\(name)")
      fates[mutation.id] = mutation.state
    }
    let waiting = fates.values.count { $0 == .queued || $0 == .sent }
    let pending = played.simulation.world.ask { (try? $0.pendingCount()) ?? -1 }
    #expect(waiting == pending, "\(name)")
    let dead = played.simulation.world.ask { (try? $0.deadLetters().count) ?? -1 }
    #expect(fates.values.count { $0 == .dead } == dead, "\(name)")
  }

  @Test func `Under many seeds, lost answers never make two of one entity`() throws {
    let scenario = try Scenario.story("flaky-push")
    for seed in 0..<UInt64(trials(5, long: 100)) {
      let played = try PlayedScenario(scenario, seed: seed)
      let creates = Set(
        try played.values(SyncMetric.mutation).filter { $0.operation == "create" }.map(\.entity))
      #expect(played.simulation.world.remote.withLock { $0.server.creates } <= creates.count, "seed \(seed)")
    }
  }
}

extension Scenario {
  /// How long the device sleeps in all.
  fileprivate var leaps: Duration {
    acts.reduce(.zero) { sum, timed in if case .leap(let duration) = timed.act { sum + duration } else { sum }
    }
  }
}

extension Simulation {
  /// Goes on until no run is active, past the end of the scenario.
  func finishRun() -> Bool {
    for _ in 0..<10_000 {
      if world.ask({ $0.machine.run == nil }) == true { return true }
      guard world.clock.wakeNext() else { return false }
      settleDown()
    }
    return false
  }
}
