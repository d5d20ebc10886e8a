import Foundation
import MisterMetricsCore
import SimulationKit
import TestSupport
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

@Suite("Simulations of the delivery client by hand")
struct DeliveryDriveTests {
  /// A simulation that somebody has played with, up to a whole millisecond, and everything that it recorded.
  private static func played(
    _ seed: UInt64, rounds: Int = 60
  ) -> (simulation: DeliverySimulation, entries: [MetricEntry]) {
    let simulation = DeliverySimulation(.busy(seed: seed, seconds: seed % 4 == 0 ? 60 : nil))
    var person = RandomDriver(seed: seed)
    person.play(simulation, rounds: rounds)
    // To the whole millisecond at which the session ends.
    simulation.end = nil
    simulation.run(until: simulation.now.roundedUpToMilliseconds)
    return (simulation, simulation.takeEntries())
  }

  private static func played(_ scenario: DeliveryScenario) -> (DeliverySimulation, entries: [MetricEntry]) {
    let simulation = DeliverySimulation(scenario)
    simulation.run()
    return (simulation, simulation.takeEntries())
  }

  /// The record but for what a simulation says of itself.
  private static func doings(_ entries: some Sequence<MetricEntry>) -> [MetricEntry] {
    entries.filter { $0.metric.name != DeliveryMetrics.simulation.name }
  }

  private static func values<Value: MetricValue>(
    _ metric: Metric<Value>, _ entries: [MetricEntry]
  ) throws -> [Value] {
    try entries.filter { $0.metric == AnyMetric(metric) }.map { try $0.decode(Value.self) }
  }

  @Test func `An act by hand is one step, behind what is due and at a whole millisecond of its own`() {
    let simulation = DeliverySimulation(.busy(seed: 1))
    simulation.run(until: .microseconds(20_123_400))
    let steps = simulation.steps
    simulation.perform(byHand: .flush)
    #expect(simulation.now == .milliseconds(20_124) && simulation.steps == steps + 1)
    simulation.perform(byHand: .flush)
    simulation.perform(byHand: .background)
    #expect(simulation.now == .milliseconds(20_126) && simulation.steps == steps + 3)
    #expect(simulation.actsByHand.map(\.step) == [steps + 1, steps + 2, steps + 3])
    #expect(simulation.actsByHand.map(\.act.at) == [20_124, 20_125, 20_126].map { .milliseconds($0) })
  }

  @Test func `A person goes on behind the end of a scenario`() {
    let simulation = DeliverySimulation(.busy(seed: 2, seconds: 33))
    simulation.run(until: .seconds(90))
    #expect(simulation.now == .seconds(33) && !simulation.step())
    for _ in 0..<3 { simulation.perform(byHand: .flush) }
    #expect(simulation.now == .milliseconds(33_002))
    let other = simulation.branched(at: simulation.steps, as: 1)
    #expect(other.steps == simulation.steps && other.now == simulation.now)
    #expect(other.scenario.duration == .seconds(33) && other.next == nil)
  }

  @Test(arguments: 0..<UInt64(trials(6, long: 24)))
  func `A session played again gives the same record, and so does its text`(seed: UInt64) throws {
    let (original, entries) = Self.played(seed)
    let session = original.session
    let (again, same) = Self.played(session)
    again.advance(to: original.now)
    #expect(again.now == original.now && again.steps == original.steps)
    #expect(Self.doings(same) == Self.doings(entries))
    #expect(DecisionFormatter.end(of: again.world) == DecisionFormatter.end(of: original.world))
    let loaded = try DeliveryScenario(json5: Data(session.json5.utf8))
    #expect(loaded == session)
    #expect(Self.played(loaded).entries == same)
  }

  @Test(arguments: 0..<UInt64(trials(2, long: 8)))
  func `A branch goes as its parent went until somebody did something else`(seed: UInt64) throws {
    let parent = Self.played(seed, rounds: 30).simulation
    let replay = DeliverySimulation(parent.session)
    var records = [replay.takeEntries()]
    while replay.step() { records.append(replay.takeEntries()) }
    try #require(records.count == parent.steps + 1)
    let byHand = parent.actsByHand.map(\.step)
    for step in stride(from: 0, through: parent.steps, by: 7) {
      let branch = parent.branched(at: step, as: 0)
      let first = branch.takeEntries()
      #expect(first.map(\.metric.name) == ["simulation", "configuration"])
      let said = try first[0].decode(DeliverySimulationState.self)
      #expect(said.step == step && said.parent == 0 && said.speed == parent.speed)
      branch.end = nil
      let last = byHand.first { $0 > step }.map { $0 - 1 } ?? parent.steps
      while branch.steps < last, branch.step() {}
      let expected = records[(step + 1)..<(last + 1)].joined()
      #expect(Self.doings(branch.takeEntries()) == Self.doings(expected), "from step \(step)")
    }
  }

  @Test(arguments: 0..<UInt64(trials(6, long: 24)))
  func `Whatever people do, every event is delivered, dropped, lost with a process, or waits`(seed: UInt64)
    throws
  {
    let (simulation, entries) = Self.played(seed, rounds: 150)
    let dropped = try Self.values(DeliveryMetrics.drop, entries).reduce(0) { $0 + $1.count }
    let known =
      simulation.world.endpoint.taken.count + simulation.world.waiting + simulation.world.lost + dropped
      + (simulation.world.process?.calls.count ?? 0)
    #expect(simulation.world.app.made <= known, "\(simulation.world.app.made) of \(known)")
  }

  @Test func `A killed client begins again from its disk, and nothing of what was there is missing`() throws {
    let simulation = DeliverySimulation(.quiet())
    simulation.perform(byHand: .fault(EndpointFaultSetting(.offline)))
    simulation.perform(byHand: .event(SimulatedEvent(.track, count: 40)))
    simulation.perform(byHand: .background)
    simulation.perform(byHand: .kill)
    #expect(!simulation.world.isAlive && simulation.world.waiting == 40)
    simulation.perform(byHand: .start)
    simulation.undoFault()
    simulation.run(until: .seconds(30))
    #expect(
      simulation.world.endpoint.taken.count == 40 && simulation.world.waiting == 0
        && simulation.world.lost == 0)
    let alive = try Self.values(DeliveryMetrics.simulation, simulation.takeEntries()).map(\.alive)
    #expect(alive.contains(false) && alive.last == true)
  }

  @Test func `What waits for a client that was reset is given up with the next reset, and counted`() throws {
    let simulation = DeliverySimulation(.quiet())
    simulation.perform(byHand: .reset)
    simulation.perform(byHand: .event(SimulatedEvent(.track, count: 7)))
    simulation.perform(byHand: .reset)
    simulation.perform(byHand: .event(SimulatedEvent(.track, count: 2)))
    simulation.perform(byHand: .start)
    simulation.run(until: .seconds(30))
    let entries = simulation.takeEntries()
    #expect(try Self.values(DeliveryMetrics.drop, entries).map(\.count) == [7])
    #expect(
      try Self.values(DeliveryMetrics.act, entries).filter { $0.act == "reset" }.map(\.refused)
        == [nil, "the client is not initialized"])
    #expect(simulation.world.endpoint.taken.count == 2)
  }

  @Test func `Everything that a branch records bears its number`() throws {
    let parent = DeliverySimulation(.busy(seed: 3))
    parent.run(until: .seconds(30))
    let branch = parent.branched(at: 20, as: 4, change: .fault(EndpointFaultSetting(.diskFull)))
    branch.perform(byHand: .kill)
    branch.perform(byHand: .start)
    branch.run(until: .seconds(90))
    var count = 0
    for entry in branch.takeEntries() where entry.metric != AnyMetric(DeliveryMetrics.configuration) {
      let value = try JSONSerialization.jsonObject(with: entry.value) as? [String: Any]
      #expect(value?["branch"] as? Int == 4, "\(entry.metric.name)")
      count += 1
    }
    #expect(count > 100)
  }

  @Test func `Constants that change hold at once, in a branch too`() throws {
    let parent = DeliverySimulation(.quiet([DeliveryTimedAct(at: .zero, .generate(perMinute: 60))]))
    parent.run(until: .seconds(5))
    var small = DeliveryConstants()
    small.batchSize = 2
    small.flushIntervalSeconds = 1
    parent.perform(byHand: .configure(small))
    let step = parent.steps
    parent.run(until: .seconds(30))
    let entries = parent.takeEntries()
    #expect(try Self.values(DeliveryMetrics.configuration, entries).map(\.batchSize) == [100, 2])
    let batches = try Self.values(DeliveryMetrics.batch, entries)
    #expect(batches.count > 15 && batches.allSatisfy { $0.size <= 2 && $0.maxBatchSize == 2 })
    for (place, size) in [(step - 1, 100), (step, 2)] {
      let branch = parent.branched(at: place, as: 3)
      let first = branch.takeEntries()
      #expect(try Self.values(DeliveryMetrics.configuration, first).map(\.batchSize) == [size])
      branch.perform(byHand: .kill)
      branch.perform(byHand: .start)
      branch.run(until: .seconds(40))
      let batches = try Self.values(DeliveryMetrics.batch, branch.takeEntries())
      #expect(batches.last?.maxBatchSize == size)
    }
  }

  @Test func `A change is the only one: what people did later is done in the other branch too`() throws {
    let parent = DeliverySimulation(.busy(seed: 6))
    parent.run(until: .seconds(20))
    let place = parent.steps
    parent.run(until: .seconds(30))
    parent.perform(byHand: .fault(EndpointFaultSetting(.latency)))
    parent.run(until: .seconds(40))
    let changed = parent.branched(at: place, as: 1, change: .fault(EndpointFaultSetting(.diskFull)))
    changed.run(until: .seconds(40))
    #expect(changed.faults[.latency].isOn && changed.faults[.diskFull].isOn)
    let plain = parent.branched(at: place, as: 2)
    plain.run(until: .seconds(40))
    #expect(!plain.faults[.latency].isOn)
  }

  @Test func `Speed and pace are recorded, and a fault set by hand can be taken back`() throws {
    let simulation = DeliverySimulation(.quiet())
    simulation.setSpeed(1e9)
    simulation.setSpeed(.nan)
    simulation.setRunning(false)
    var states = try Self.values(DeliveryMetrics.simulation, simulation.takeEntries())
    #expect(states.map(\.speed).suffix(3) == [60, 0.25, 0.25] && states.last?.running == false)
    simulation.perform(byHand: .fault(EndpointFaultSetting(.serverError)))
    simulation.perform(byHand: .fault(EndpointFaultSetting(.diskFull)))
    simulation.perform(byHand: .clearFaults)
    #expect(simulation.faults.active.isEmpty)
    #expect(simulation.undoFault().map(\.fault) == [.serverError, .diskFull])
    #expect(simulation.faults.active.map(\.fault) == [.serverError, .diskFull])
    simulation.undoFault()
    simulation.undoFault()
    #expect(simulation.faults.active.isEmpty && simulation.undoFault().isEmpty)
    let faults = try Self.values(DeliveryMetrics.fault, simulation.takeEntries())
    #expect(faults.count == 8 && faults.allSatisfy { $0.by == .person })
    states = try Self.values(DeliveryMetrics.simulation, [try #require(simulation.statement())])
    #expect(states.map(\.step) == [simulation.steps] && simulation.takeEntries().isEmpty)
  }

  @Test func `The keys' steps of a fault's amount, likelihood and scope go around and stay in range`() {
    for fault in EndpointFault.allCases {
      var setting = EndpointFaultSetting(fault)
      #expect(setting.toggled.toggled == setting && !setting.toggled.isOn)
      for _ in 0..<4 { setting = setting.withNextLikelihood }
      for _ in 0..<3 { setting = setting.withNextScope }
      #expect(setting == EndpointFaultSetting(fault))
      for steps in [1, -3, .max, .min, 7] {
        setting = setting.adjusted(by: steps)
        #expect(fault.measure.range.contains(setting.amount))
      }
    }
    #expect(EndpointFaultSetting(.latency).adjusted(by: 2).amount == 500)
  }
}
