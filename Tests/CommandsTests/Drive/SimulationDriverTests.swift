import DashboardCore
import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import Testing

@testable import Commands

@Suite("The driver of simulations")
struct SimulationDriverTests {
  private static let sync = TimedAct(at: .seconds(5), .requestSync)

  @Test func `A scenario is played at the pace of the clock, from now and without an end`() async throws {
    var scenario = Scenario.quiet(acts: [Self.sync, TimedAct(at: .seconds(90), .requestSync)])
    scenario.duration = .seconds(60)
    let fixture = try DriverFixture<SyncWorld>(scenario)
    let start = fixture.clock.time
    await fixture.pass(4.9)
    #expect(try fixture.written(SyncMetric.transition).isEmpty)
    await fixture.pass(0.2)
    #expect(try fixture.written(SyncMetric.transition).count >= 1)
    await fixture.pass(120)
    let transitions = try fixture.written(SyncMetric.transition)
    #expect(transitions.last { $0.to == "idle" }?.engineTime ?? 0 > 90)
    let times = fixture.store.entries.map { Timestamp($0.timestamp) }
    #expect(times.first == start && times == times.sorted())
  }

  @Test func `When nothing is due it waits for somebody, and as long as it takes`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet(acts: [Self.sync]))
    #expect(try #require(await fixture.driver.turn()) - 5 < 0.01)
    await fixture.give(.toggleRunning)
    #expect(await fixture.driver.turn() == nil)
    await fixture.pass(100)
    #expect(try fixture.written(SyncMetric.transition).isEmpty)
    await fixture.give(.toggleRunning)
    #expect(try #require(await fixture.driver.turn()) - 5 < 0.01)
    await fixture.pass(400)
    #expect(await fixture.driver.turn() == nil)
    // It runs all the same: whatever a person does goes on by itself.
    #expect(try #require(fixture.written(SyncMetric.simulation).last).running)
  }

  @Test func `What is wanted is in the file at once`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet())
    await fixture.pass(3)
    let change = SimulationAct.change(SimulatedChange(.create, kind: "event", count: 3))
    await fixture.give(.perform(change, branch: 0), .perform(.requestSync, branch: 0))
    #expect(try fixture.written(SyncMetric.mutation).filter { $0.state == .queued }.count == 3)
    #expect(try fixture.written(SyncMetric.transition).map(\.event) == ["syncRequested"])
    await fixture.pass(10)
    #expect(try #require(fixture.written(SyncMetric.run).last).pushed == 3)
  }

  @Test func `A step stands still first and lets one thing happen`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet(acts: [Self.sync]))
    await fixture.give(.step(branch: 0))
    var states = try fixture.written(SyncMetric.simulation)
    #expect(states.last?.step == 1 && states.last?.running == false)
    #expect(try fixture.written(SyncMetric.transition).isEmpty == false)
    await fixture.pass(100)
    await fixture.give(.step(branch: 0), .step(branch: 0))
    states = try fixture.written(SyncMetric.simulation)
    #expect(states.last?.step == 3)
    // It goes on from where the steps have led.
    await fixture.give(.toggleRunning)
    await fixture.pass(5)
    #expect(try fixture.written(SyncMetric.run).count == 1)
  }

  @Test func `The speed goes up and down the ladder and no further`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet(acts: [Self.sync]))
    for _ in 0..<20 { await fixture.give(.changeSpeed(by: 1)) }
    #expect(try #require(fixture.written(SyncMetric.simulation).last).speed == 60)
    await fixture.pass(0.09)
    #expect(try fixture.written(SyncMetric.transition).isEmpty == false)
    for _ in 0..<3 { await fixture.give(.changeSpeed(by: -100), .changeSpeed(by: .min)) }
    #expect(try #require(fixture.written(SyncMetric.simulation).last).speed == 0.25)
  }

  @Test func `Keys may be faster than the file: a fault that is toggled twice is as it was`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet())
    await fixture.give(
      .toggleFault(.offline, branch: 0), .toggleFault(.offline, branch: 0),
      .toggleFault(.rateLimit, branch: 0))
    let faults = try fixture.written(SyncMetric.fault)
    #expect(faults.map(\.on) == [true, false, true] && faults.map(\.byHand) == [true, true, true])
    await fixture.give(.undoFault(branch: 0), .undoFault(branch: 0))
    #expect(try fixture.written(SyncMetric.fault).suffix(2).map(\.fault) == ["rateLimit", "offline"])
    #expect(try fixture.written(SyncMetric.fault).suffix(2).map(\.on) == [false, true])
    #expect(fixture.sentences().isEmpty)
    await fixture.give(.undoFault(branch: 0), .undoFault(branch: 0))
    #expect(fixture.sentences() == ["No fault was set by hand"])
  }

  @Test func `A play begins anew, now, but never before what was recorded`() async throws {
    let fixture = try DriverFixture<SyncWorld>(
      Scenario.quiet(acts: [TimedAct(at: .zero, .trigger(every: .seconds(10), afterChanges: true))]))
    await fixture.pass(1)
    var count = fixture.store.entries.count
    await fixture.give(.play(scenario: "clock-jump"))
    #expect(fixture.store.entries[count].timestamp == fixture.clock.time.date)
    let played = try fixture.written(SyncMetric.simulation).filter { $0.scenario == "clock-jump" }
    #expect(played.first?.step == 0 && played.first?.running == true)
    await fixture.give(.play(scenario: "quiet"), .changeSpeed(by: 100))
    await fixture.pass(60)
    let newest = Timestamp(try #require(fixture.store.entries.last).timestamp)
    #expect(newest > fixture.clock.time + 3_000)
    count = fixture.store.entries.count
    await fixture.give(.play(scenario: "healthy-day"))
    let first = Timestamp(fixture.store.entries[count].timestamp)
    #expect(abs(first - newest - 1) < 0.002)
    #expect(try #require(fixture.written(SyncMetric.simulation).last).speed == 60)
    await fixture.give(.play(scenario: "rain"))
    #expect(fixture.sentences() == ["There is no scenario rain"])
    #expect(
      fixture.driver.scenarios.map(\.name).contains("quiet")
        && fixture.driver.scenarios.count == 15)
  }

  @Test func `What cannot be written is said once and not lost`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet())
    await fixture.pass(1)
    fixture.store.fail(times: 3)
    await fixture.give(.perform(.requestSync, branch: 0))
    #expect(await fixture.driver.turn() == 1)
    #expect(fixture.sentences() == ["The simulation cannot be recorded: the disk is full"])
    fixture.clock.time += 3_000
    #expect(await fixture.driver.turn() == 1 && fixture.sentences().isEmpty)
    #expect(try fixture.written(SyncMetric.transition).isEmpty)
    await fixture.pass(10)
    #expect(try fixture.written(SyncMetric.run).count == 1)
    let times = fixture.store.entries.map { Timestamp($0.timestamp) }
    #expect(try #require(times.last) < fixture.clock.time - 2_900)
    fixture.store.fail(times: 1)
    await fixture.give(.perform(.requestSync, branch: 0))
    #expect(fixture.sentences().count == 1)
  }

  @Test func `Time during which the machine slept is asleep in the simulation too`() async throws {
    let every = TimedAct(at: .zero, .trigger(every: .seconds(10), afterChanges: false))
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet(acts: [every]))
    await fixture.pass(95)
    let runs = try fixture.written(SyncMetric.run).count
    fixture.clock.time += 3_600
    await fixture.pass(95)
    #expect(try fixture.written(SyncMetric.run).count - runs < 14)
    let last = Timestamp(try #require(fixture.store.entries.last).timestamp)
    #expect(abs(last - fixture.clock.time) < 15)
  }

  @Test func `What comes all at once is written in pieces`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet())
    await fixture.give(.perform(.change(SimulatedChange(.create, kind: "event", count: 1_500)), branch: 0))
    #expect(try fixture.written(SyncMetric.mutation).count == 1_500)
    #expect(fixture.store.largest == 1_000)
  }

  @Test func `It wakes up for an order and for what is due, and ends when it is cancelled`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Scenario.quiet())
    let driving = Task { [driver = fixture.driver] in await driver.run() }
    fixture.driver.take(.perform(.requestSync, branch: 0))
    while try fixture.written(SyncMetric.transition).isEmpty { await Task.yield() }
    driving.cancel()
    await driving.value
  }
}
