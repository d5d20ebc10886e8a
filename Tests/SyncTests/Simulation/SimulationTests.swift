import Foundation
import MisterMetricsCore
import Platform
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Simulation")
struct SimulationTests {
  private static func acts(_ acts: (Double, SimulationAct)...) -> [TimedAct] {
    acts.map { TimedAct(at: .seconds($0.0), $0.1) }
  }

  private static let busy = acts(
    (0, .trigger(every: .seconds(20), afterChanges: true)), (0, .generate(isRemote: false, perMinute: 12)),
    (5, .fault(FaultSetting(.rateLimit, probability: 0.5, scope: FaultScope(.push)))), (200, .clearFaults))

  private static let content = [
    Scenario.Content(kind: "eventType", count: 3), Scenario.Content(kind: "event", count: 10),
  ]

  private func busySimulation() throws -> Simulation {
    try Simulation(.quiet(Self.busy, seconds: 300, content: Self.content))
  }

  @Test func `A settled device has what the server has and fetches nothing at first`() throws {
    let simulation = try Simulation(.quiet(Self.acts((1, .requestSync)), content: Self.content))
    #expect(try simulation.world.stores.makeStore().entities(of: "event").count == 10)
    simulation.run()
    let runs = try PlayedScenario(simulation).values(SyncMetric.run)
    #expect(runs.map(\.status) == [.success] && !runs[0].bootstrap && runs[0].pulled == 0)
  }

  @Test func `A new device bootstraps, and what it then has is what the server has`() throws {
    var scenario = Scenario.quiet(Self.acts((1, .requestSync)), content: Self.content)
    scenario.isSettled = false
    let simulation = try Simulation(scenario)
    simulation.run()
    let store = simulation.world.stores.makeStore()
    let server = simulation.world.remote.withLock { $0.server }
    for kind in SyncDomain.sample.kinds {
      #expect(try store.entities(of: kind.name).map(\.key.id) == server.ids(of: kind.name))
    }
    #expect(try PlayedScenario(simulation).values(SyncMetric.run).map(\.bootstrap) == [true])
  }

  @Test func `A run up to a moment stands at that moment, and goes on as if it had not stopped`() throws {
    let whole = PlayedScenario(try busySimulation().played())
    let pieces = try busySimulation()
    for second in stride(from: 7.5, through: 300, by: 7.5) {
      pieces.run(until: .seconds(second))
      #expect(pieces.now == .seconds(second))
    }
    #expect(try PlayedScenario(pieces).bytes == whole.bytes)
  }

  @Test func `What comes next from outside is in the record, and comes then`() throws {
    let simulation = try busySimulation()
    var said: SyncSimulationRecord?
    while let next = simulation.next {
      said = try PlayedScenario(simulation).values(SyncMetric.simulation).last ?? said
      let record = try #require(said)
      #expect(record.step == simulation.steps && record.running)
      let at = try #require(record.nextAt) - simulation.scenario.start.timeIntervalSinceReferenceDate
      #expect(at >= next.at / .seconds(1) - 1e-6)
      simulation.step()
      #expect(simulation.now == next.at || next.purpose.hasPrefix("asleep"))
      // The engine's own work comes before what was said to come from outside.
      let isOutside = next.purpose.hasPrefix("a ") || next.purpose == "all faults off"
      if isOutside { #expect(record.next?.hasPrefix(next.purpose) == true) }
    }
    let end = try #require(try PlayedScenario(simulation).values(SyncMetric.simulation).last)
    #expect(!end.running && end.next == nil && !simulation.step())
  }

  @Test func `A start is recorded as step 0, and then the constants`() throws {
    let first = try busySimulation().takeEntries().prefix(2)
    #expect(first.map(\.metric.name) == ["simulation", "configuration"])
  }

  @Test func `What comes next says whether the app will ask for a run because of it`() throws {
    let change = SimulationAct.change(SimulatedChange(.create, kind: "event"))
    let simulation = try Simulation(
      .quiet(
        Self.acts(
          (1, change), (2, .trigger(every: .seconds(10), afterChanges: true)), (3, change),
          (4, .fault(FaultSetting(.offline))), (5, change), (6, .clearFaults), (7, .requestSync)),
        seconds: 16))
    simulation.run()
    var words: [String] = []
    for record in try PlayedScenario(simulation).values(SyncMetric.simulation) {
      if let next = record.next, next != words.last { words.append(next) }
    }
    #expect(
      words == [
        "create event", "a run every 10 s", "the app asks for a run", "create event, then a sync",
        "fault offline on", "create event", "all faults off, then a sync", "sync", "the app asks for a run",
        // Nothing from outside comes before the end.
        "probe arrives", "answer to probe", "pull arrives", "answer to pull",
      ])
    let offline = try Simulation(
      .quiet(Self.acts((1, .trigger(every: .seconds(10), afterChanges: false))), seconds: 16))
    offline.run(until: .seconds(2))
    offline.perform(byHand: .fault(FaultSetting(.offline)))
    let last = try PlayedScenario(offline).values(SyncMetric.simulation).last
    #expect(last?.next == "the app would ask for a run, but is offline")
  }

  @Test func `Running to the next transition takes as many steps as that needs`() throws {
    let simulation = try Simulation(.quiet(Self.acts((1, .requestSync)), content: Self.content))
    var lines: [String] = []
    while simulation.runToNextTransition() { lines += try PlayedScenario(simulation).lines }
    #expect(lines.count == 4)
    #expect(!simulation.runToNextTransition())
  }

  @Test func `What a person does is marked as theirs, and only that`() throws {
    let simulation = try busySimulation()
    simulation.run(until: .seconds(100))
    _ = simulation.takeEntries()
    simulation.perform(byHand: .fault(FaultSetting(.latency, amount: 10)))
    simulation.perform(byHand: .resetBreaker)
    let byHand = PlayedScenario(simulation)
    #expect(try byHand.values(SyncMetric.fault).map(\.byHand) == [true])
    #expect(try byHand.values(SyncMetric.transition).allSatisfy { $0.byHand && $0.event == "breakerReset" })
    simulation.run()
    #expect(try PlayedScenario(simulation).values(SyncMetric.transition).allSatisfy { !$0.byHand })
  }

  @Test func `The last fault that a person set is taken back, and the one before, but not the script's`()
    throws
  {
    let simulation = try busySimulation()
    simulation.run(until: .seconds(50))
    let before = simulation.faults
    simulation.perform(byHand: .fault(FaultSetting(.latency, amount: 10)))
    simulation.perform(byHand: .fault(FaultSetting(.latency, amount: 20)))
    simulation.perform(byHand: .fault(FaultSetting(.rateLimit, isOn: false)))
    simulation.undoFault()
    #expect(simulation.faults[.rateLimit] == before[.rateLimit])
    simulation.undoFault()
    #expect(simulation.faults[.latency].amount == 10)
    simulation.undoFault()
    #expect(simulation.faults.active == before.active)
    #expect(simulation.undoFault().isEmpty)
    simulation.perform(byHand: .fault(FaultSetting(.jitter)))
    simulation.perform(byHand: .clearFaults)
    #expect(simulation.faults.active.isEmpty)
    simulation.undoFault()
    #expect(simulation.faults.active.map(\.fault) == [.jitter, .rateLimit])
  }

  @Test func `A branch without a change goes as the trunk went, under its own number`() throws {
    let trunk = try busySimulation()
    trunk.run(until: .seconds(60))
    trunk.perform(byHand: .change(SimulatedChange(.create, kind: "event")))
    trunk.run(until: .seconds(120))
    let step = trunk.steps
    let other = try trunk.branched(at: step, as: 1)
    #expect(other.now <= trunk.now && other.steps == step)
    _ = trunk.takeEntries()
    trunk.run()
    other.run()
    let (first, second) = (PlayedScenario(trunk), PlayedScenario(other))
    #expect(try first.lines == second.lines)
    #expect(try second.values(SyncMetric.transition).allSatisfy { $0.branch == 1 })
    #expect(try second.values(SyncMetric.simulation).allSatisfy { $0.branch == 1 && $0.parent == 0 })
  }

  @Test func `A branch with one change leaves the trunk as it is and goes its own way`() throws {
    let trunk = try busySimulation()
    trunk.run()
    var patient = SyncConfiguration()
    patient.batchSize = 1
    let changes: [SimulationAct] = [
      .fault(FaultSetting(.rateLimit, isOn: false)), .requestSync, .configure(patient),
    ]
    let trunkLines = try PlayedScenario(trunk).lines
    for (number, change) in changes.enumerated() {
      let other = try trunk.branched(at: 20, as: number + 1, change: change)
      #expect(other.steps > 20 && trunk.now == .seconds(300))
      other.run()
      let lines = try PlayedScenario(other).lines
      #expect(!trunkLines.joined(separator: "\n").hasSuffix(lines.joined(separator: "\n")))
    }
  }

  @Test func `Speed and pause are recorded when a person changes them, within their bounds`() throws {
    let simulation = try busySimulation()
    simulation.setSpeed(1000)
    simulation.setSpeed(.nan)
    simulation.setRunning(false)
    let records = try PlayedScenario(simulation).values(SyncMetric.simulation)
    #expect(records.map(\.speed) == [1, 60, 0.25, 0.25])
    #expect(records.map(\.running) == [true, true, true, false])
  }

  @Test func `A device that wakes up does at once what was due, in the order in which it was`() throws {
    let acts = Self.acts(
      (1, .trigger(every: .seconds(60), afterChanges: false)), (50, .leap(.seconds(1000))),
      (61.05, .change(SimulatedChange(.create, kind: "event"))),
      (1100, .trigger(every: nil, afterChanges: false)))
    let played = try PlayedScenario(.quiet(acts, seconds: 1200, content: Self.content))
    let requests = try played.values(SyncMetric.transition).filter { $0.event == "syncRequested" }
    #expect(requests.map(\.engineTime) == [1, 1050])
  }

  @Test func `A clock that is set wrong changes no waiting and no time in the record`() throws {
    let skew = Self.acts((0, .fault(FaultSetting(.clockSkew, amount: 86_400)))) + Self.busy
    let plain = try PlayedScenario(.quiet(Self.busy, seconds: 300, content: Self.content))
    let skewed = try PlayedScenario(.quiet(skew, seconds: 300, content: Self.content))
    #expect(try plain.lines == skewed.lines)
    #expect(skewed.entries.allSatisfy { $0.timestamp <= skewed.simulation.recordTime })
    #expect(try skewed.values(SyncMetric.breaker) == plain.values(SyncMetric.breaker))
    // After 200 s all faults are off.
    let created = try skewed.values(SyncMetric.mutation).map(\.createdAt)
    #expect(
      created.allSatisfy {
        (800_086_400...800_086_600).contains($0) || (800_000_200...800_000_300).contains($0)
      })
  }

  @Test func `No amount that a program passes in makes it stumble or stand still`() throws {
    let simulation = try busySimulation()
    simulation.run(until: .seconds(10))
    for rate in [-1, 0, 1e-300, 1e300, .infinity, .nan] {
      simulation.perform(byHand: .generate(isRemote: true, perMinute: rate))
      simulation.perform(byHand: .generate(isRemote: false, perMinute: rate))
      simulation.run(steps: 20)
    }
    simulation.perform(byHand: .trigger(every: .zero, afterChanges: false))
    simulation.perform(byHand: .trigger(every: .seconds(-1), afterChanges: false))
    simulation.perform(byHand: .leap(.seconds(-5)))
    simulation.perform(byHand: .change(SimulatedChange(.create, kind: "unknown")))
    simulation.perform(byHand: .remoteChange(SimulatedChange(.delete, kind: "geofence", count: 9)))
    simulation.run(until: .seconds(60))
    #expect(simulation.now >= .seconds(60))
    simulation.perform(byHand: .leap(.seconds(1e18)))
    #expect(simulation.next == nil)
  }

  @Test func `A simulation that is given up in the middle leaves no task behind`() throws {
    for steps in 0..<60 {
      weak var engine: SyncEngine?
      do {
        let simulation = try busySimulation()
        simulation.run(steps: steps)
        engine = simulation.world.engine
      }
      #expect(engine == nil, "after \(steps) steps")
    }
  }
}

extension Simulation {
  /// The same, played to its end.
  func played() -> Simulation {
    run()
    return self
  }
}
