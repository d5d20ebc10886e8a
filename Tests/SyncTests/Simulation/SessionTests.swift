import Foundation
import MisterMetricsCore
import SimulationKit
import TestSupport
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Sessions by hand")
struct SessionTests {
  /// A simulation that somebody has played with, and everything that it recorded.
  private static func played(_ seed: UInt64, rounds: Int = 50) throws -> PlayedScenario {
    let simulation = try Simulation(.busy(seed: seed, seconds: seed % 4 == 0 ? 60 : nil))
    var person = RandomPerson(seed: seed)
    person.play(simulation, rounds: rounds)
    // To the whole millisecond at which the session ends.
    simulation.end = nil
    simulation.run(until: simulation.now.roundedUpToMilliseconds)
    return PlayedScenario(simulation)
  }

  /// The record but for what a simulation says of itself.
  private static func doings(_ entries: [MetricEntry]) -> [MetricEntry] {
    entries.filter { $0.metric.name != SyncMetric.simulation.name }
  }

  @Test func `An act by hand is one step, behind what is due and at a whole millisecond of its own`() throws {
    let simulation = try Simulation(.busy(seed: 1))
    simulation.run(until: .microseconds(20_123_400))
    let steps = simulation.steps
    simulation.perform(byHand: .requestSync)
    #expect(simulation.now == .milliseconds(20_124) && simulation.steps == steps + 1)
    simulation.perform(byHand: .requestSync)
    simulation.perform(byHand: .resetBreaker)
    #expect(simulation.now == .milliseconds(20_126) && simulation.steps == steps + 3)
    #expect(simulation.actsByHand.map(\.step) == [steps + 1, steps + 2, steps + 3])
    #expect(simulation.actsByHand.map(\.act.at) == [20_124, 20_125, 20_126].map { .milliseconds($0) })
  }

  @Test func `What is due at the moment of an act happens after it, what was due before it first`() throws {
    let change = SimulationAct.change(SimulatedChange(.create, kind: "event"))
    let acts = [
      TimedAct(at: .seconds(1), .requestSync), TimedAct(at: .milliseconds(5_001), change),
      TimedAct(at: .milliseconds(7_000), change), TimedAct(at: .milliseconds(7_000), change),
    ]
    let simulation = try Simulation(.quiet(acts))
    simulation.run(until: .seconds(5))
    simulation.advance(to: .seconds(6))
    #expect(simulation.now == .milliseconds(5_001), "time does not pass what happens next")
    simulation.perform(byHand: .clearPending)
    #expect(simulation.now == .milliseconds(5_002), "what is due now comes first")
    simulation.advance(to: .microseconds(6_998_500))
    simulation.perform(byHand: .clearPending)
    #expect(simulation.now == .milliseconds(6_999))
    let steps = simulation.steps
    simulation.perform(byHand: .clearPending)
    #expect(simulation.now == .seconds(7) && simulation.steps == steps + 1, "at one moment people come first")
    simulation.perform(byHand: .clearPending)
    #expect(simulation.now == .milliseconds(7_001) && simulation.steps == steps + 4)
  }

  @Test func `A person goes on behind the end of a scenario`() throws {
    let simulation = try Simulation(.busy(seed: 2, seconds: 30))
    simulation.run()
    #expect(simulation.now < .seconds(30) && !simulation.step())
    simulation.advance(to: .seconds(90))
    #expect(simulation.now == .seconds(30))
    for _ in 0..<3 { simulation.perform(byHand: .requestSync) }
    #expect(simulation.now == .milliseconds(30_002))
    let other = try simulation.branched(at: simulation.steps, as: 1)
    #expect(other.steps == simulation.steps && other.now == simulation.now)
    #expect(other.scenario.duration == .seconds(30) && other.next == nil)
  }

  @Test(arguments: 0..<UInt64(trials(4, long: 16)))
  func `A session played again gives the same record, and so does its text`(seed: UInt64) throws {
    let original = try Self.played(seed)
    let session = original.simulation.session
    let replayed = try PlayedScenario(session)
    replayed.simulation.advance(to: original.simulation.now)
    #expect(replayed.simulation.now == original.simulation.now)
    #expect(replayed.simulation.steps == original.simulation.steps)
    #expect(Self.doings(replayed.entries) == Self.doings(original.entries))
    let loaded = try Scenario(json5: Data(session.json5.utf8))
    #expect(loaded == session)
    #expect(try PlayedScenario(loaded).bytes == replayed.bytes)
    #expect(try loaded.transitions() == original.lines)
  }

  @Test(arguments: 0..<UInt64(trials(2, long: 6)))
  func `A branch goes as its parent went until somebody did something else`(seed: UInt64) throws {
    let parent = try Self.played(seed, rounds: 30).simulation
    let replay = try Simulation(parent.session)
    var records = [replay.takeEntries()]
    while replay.step() { records.append(replay.takeEntries()) }
    try #require(records.count == parent.steps + 1)
    let byHand = parent.actsByHand.map(\.step)
    for step in stride(from: 0, through: parent.steps, by: 10) {
      let branch = try parent.branched(at: step, as: 0)
      let first = branch.takeEntries()
      #expect(first.map(\.metric.name) == ["simulation", "configuration"])
      let said = try first[0].decode(SyncSimulationRecord.self)
      #expect(said.step == step && said.parent == 0 && said.speed == parent.speed)
      branch.end = nil
      let last = byHand.first { $0 > step }.map { $0 - 1 } ?? parent.steps
      while branch.steps < last, branch.step() {}
      let expected = records[(step + 1)..<(last + 1)].joined()
      #expect(Self.doings(branch.takeEntries()) == Self.doings(Array(expected)), "from step \(step)")
    }
  }

  @Test func `A branch begins with the constants that are in force, and a change by hand is its next step`()
    throws
  {
    let parent = try Simulation(.busy(seed: 4))
    parent.run(until: .seconds(5))
    var small = SyncConfiguration()
    small.batchSize = 1
    parent.perform(byHand: .configure(small))
    let step = parent.steps
    parent.run(until: .seconds(30))
    for (place, size) in [(step - 1, 50), (step, 1)] {
      let branch = try parent.branched(at: place, as: 3, change: .requestSync)
      #expect(branch.steps == place + 1 && branch.parent == 0)
      let played = PlayedScenario(branch)
      #expect(played.entries.prefix(2).map(\.metric.name) == ["simulation", "configuration"])
      #expect(try played.values(SyncMetric.configuration).map(\.batchSize) == [size])
      #expect(try played.values(SyncMetric.simulation).map(\.step) == [place, place + 1])
      #expect(try played.values(SyncMetric.simulation).allSatisfy { $0.branch == 3 && $0.parent == 0 })
      // A branch of the branch knows what people did in both.
      let twig = try branch.branched(at: branch.steps, as: 4)
      #expect(twig.parent == 3 && twig.now == branch.now && twig.steps == branch.steps)
      #expect(twig.session.acts.filter(\.isByHand) == branch.session.acts.filter(\.isByHand))
    }
  }

  @Test
  func
    `A change is the only one: what people did later is done in the other future too, but not without one`()
    throws
  {
    let parent = try Simulation(.busy(seed: 6))
    parent.run(until: .seconds(20))
    let place = parent.steps
    parent.run(until: .seconds(30))
    parent.perform(byHand: .change(SimulatedChange(.create, kind: "event", count: 3)))
    parent.perform(byHand: .fault(FaultSetting(.latency)))
    parent.run(until: .seconds(40))
    let changed = try parent.branched(at: place, as: 1, change: .fault(FaultSetting(.jitter)))
    changed.run(until: .seconds(40))
    #expect(changed.faults[.latency].isOn && changed.faults[.jitter].isOn)
    #expect(changed.takeEntries().contains { $0.metric.name == SyncMetric.mutation.name })
    let plain = try parent.branched(at: place, as: 2)
    plain.run(until: .seconds(40))
    #expect(!plain.faults[.latency].isOn)
  }

  @Test func `A session has what people did and nothing of what was to come`() throws {
    let simulation = try Simulation(.busy(seed: 5), seed: .max)
    simulation.run(until: .seconds(25))
    simulation.perform(byHand: .requestSync)
    let session = simulation.session
    #expect(session.seed == .max && session.duration == .seconds(25))
    #expect(
      session.acts.filter(\.isByHand) == [TimedAct(at: .seconds(25), .requestSync, isByHand: true)])
    #expect(session.acts.count == 7)
    #expect(try Scenario(json5: Data(session.json5.utf8)).seed == .max)
  }

  @Test func `A simulation says what it is for one who writes several futures`() throws {
    let simulation = try Simulation(.busy(seed: 6))
    simulation.run(until: .seconds(3))
    let last = try #require(try PlayedScenario(simulation).values(SyncMetric.simulation).last)
    let statement = try #require(simulation.statement())
    #expect(try statement.decode(SyncSimulationRecord.self) == last)
    #expect(statement.timestamp == simulation.recordTime && simulation.takeEntries().isEmpty)
  }
}
