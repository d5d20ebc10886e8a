import DashboardCore
import DeliveryCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TestSupport
import Testing

@testable import Commands

@Suite("The driver of delivery simulations")
struct DeliveryDriverTests {
  private typealias Fixture = DriverFixture<DeliveryWorld>

  private static let regular = DeliveryScenario.quiet(acts: [
    DeliveryTimedAct(at: .zero, .generate(perMinute: 60))
  ])

  private func batches(_ fixture: Fixture, of branch: Int = 0) throws -> [DeliveryBatch] {
    try fixture.written(DeliveryMetrics.batch).filter { $0.branch == branch }
  }

  @Test func `An outage by hand opens the breaker, and the client recovers when it is taken back`()
    async throws
  {
    let fixture = try Fixture(Self.regular)
    await fixture.pass(15)
    #expect(try batches(fixture).map(\.status) == [200])
    await fixture.give(.toggleFault(.serverError, branch: 0))
    await fixture.pass(20)
    #expect(try #require(fixture.written(DeliveryMetrics.breaker).last).state == "open")
    #expect(try #require(fixture.written(DeliveryMetrics.queue).last).nextCause == "breaker")
    await fixture.give(.undoFault(branch: 0))
    await fixture.pass(40)
    #expect(try #require(batches(fixture).last).status == 200)
    let faults = try fixture.written(DeliveryMetrics.fault)
    #expect(faults.map(\.on) == [true, false] && faults.allSatisfy { $0.by == .person })
  }

  @Test func `A process that is killed by hand begins again from its disk without a gap`() async throws {
    let fixture = try Fixture(Self.regular)
    await fixture.give(.toggleFault(.offline, branch: 0))
    await fixture.pass(15)
    await fixture.give(.perform(.generate(perMinute: 0), branch: 0), .perform(.background, branch: 0))
    await fixture.give(.perform(.kill, branch: 0))
    await fixture.pass(5)
    #expect(try #require(fixture.written(DeliveryMetrics.simulation).last).alive == false)
    await fixture.give(.perform(.start, branch: 0), .toggleFault(.offline, branch: 0))
    await fixture.pass(20)
    let last = try #require(fixture.written(DeliveryMetrics.simulation).last)
    #expect(last.alive && last.lost == 0 && last.made > 5 && last.taken == last.made)
  }

  @Test func `A branch with one change catches up, and both go on together`() async throws {
    let fixture = try Fixture(Self.regular)
    await fixture.pass(35)
    let place = try #require(fixture.written(DeliveryMetrics.simulation).first { $0.engineTime > 12 }).step
    await fixture.give(.branch(from: 0, step: place, change: .fault(EndpointFaultSetting(.offline))))
    let states = try fixture.written(DeliveryMetrics.simulation).filter { $0.branch == 1 }
    #expect(states.first?.step == place && states.first?.parent == 0)
    #expect(try #require(states.last?.nextAt) > fixture.clock.time.seconds)
    #expect(try batches(fixture, of: 1).isEmpty)
    await fixture.give(.toggleFault(.offline, branch: 1))
    await fixture.pass(30)
    #expect(try batches(fixture).last?.status == 200 && batches(fixture, of: 1).last?.status == 200)
    await fixture.give(.drop(branch: 1), .drop(branch: 0), .step(branch: 9))
    #expect(fixture.sentences() == ["The main branch cannot be dropped", "Branch 9 no longer exists"])
  }

  @Test func `Time during which the machine slept is asleep in the simulation too`() async throws {
    let fixture = try Fixture(Self.regular)
    await fixture.pass(95)
    let count = try batches(fixture).count
    fixture.clock.time += 3_600
    await fixture.pass(95)
    #expect(try batches(fixture).count - count < 20)
    #expect(try fixture.written(DeliveryMetrics.act).contains { $0.act == "leap" })
    let last = Timestamp(try #require(fixture.store.entries.last).timestamp)
    #expect(abs(last - fixture.clock.time) < 15)
  }

  @Test func `A session is kept as a scenario and a test that links DeliverySimulation`() async throws {
    let folder = try TemporaryFolder()
    let fixture = try Fixture(Self.regular, folder: folder.url.path)
    await fixture.pass(15)
    await fixture.give(.toggleFault(.serverError, branch: 0))
    let mark = fixture.clock.time
    await fixture.pass(30)
    await fixture.give(.writeTest(name: "Outage", branch: 0, since: mark))
    var said: [String] = []
    while said.isEmpty {
      said = fixture.sentences()
      await Task.yield()
    }
    #expect(said == ["Wrote Outage.json5 and OutageTests.swift"])
    let session = try ScenarioLibrary.deliveryScenario(folder.path("Outage.json5"))
    #expect(try session.differences().isEmpty && session.expected.count > 3)
    #expect(session.expected.allSatisfy { !$0.hasPrefix("     0.") })
    let test = try String(contentsOfFile: folder.path("OutageTests.swift"), encoding: .utf8)
    #expect(test.hasPrefix("import DeliverySimulation\n") && test.contains("struct OutageTests {"))
  }

  @Test func `Both engines are driven behind one face, each by its own orders`() async throws {
    let clock = DriverClock()
    let store = FailingStore()
    let drivers = try SimulationDrivers(
      playing: [.sync(.quiet()), .delivery(.quiet())], store: store, folder: "/nonexistent",
      now: { clock.time })
    #expect(Set(drivers.scenarios.keys) == [.sync, .delivery])
    #expect(drivers.scenarios[.delivery]?.map(\.name).contains("tunnel") == true)
    let driving = Task { await drivers.run() }
    drivers.take(.sync(.toggleFault(.rateLimit, branch: 0)))
    drivers.take(.delivery(.toggleFault(.diskFull, branch: 0)))
    drivers.take(.delivery(.play(scenario: "rain")))
    func has(_ metric: AnyMetric) -> Bool { store.entries.contains { $0.metric == metric } }
    var said: [String] = []
    while said.isEmpty || !has(AnyMetric(SyncMetric.fault)) || !has(AnyMetric(DeliveryMetrics.fault)) {
      said += drivers.sentences()
      await Task.yield()
    }
    #expect(said == ["There is no scenario rain"])
    driving.cancel()
    await driving.value
    let alone = try SimulationDrivers(playing: [.delivery(.quiet())], store: store)
    #expect(Set(alone.scenarios.keys) == [.delivery])
  }

  @Test func `A scenario is found by its name or its file, whichever engine it is of`() throws {
    #expect(try ScenarioLibrary.anyScenario("tunnel").screen == "delivery")
    #expect(try ScenarioLibrary.anyScenario("healthy-day").screen == "sync")
    let folder = try TemporaryFolder()
    let file = try folder.write(try ScenarioLibrary.deliveryScenario("tunnel").json5, to: "mine.json5")
    #expect(try ScenarioLibrary.anyScenario(file).with(seed: 7).screen == "delivery")
    do throws(ScenarioLibrary.Problem) {
      _ = try ScenarioLibrary.anyScenario("rain")
      Issue.record("there is none")
    } catch {
      #expect(error.message.contains("healthy-day") && error.message.contains("tunnel"))
    }
    let broken = try folder.write("{ name: \"a\", settled: true, options: {} }", to: "broken.json5")
    do throws(ScenarioLibrary.Problem) {
      _ = try ScenarioLibrary.anyScenario(broken)
      Issue.record("it was read")
    } catch {
      #expect(error.message.hasSuffix(": title: is missing"), "\(error.message)")
    }
    let neither = try folder.write(
      "{ name: \"a\", title: \"b\", start: \"2026-11-21T08:00:00Z\", duration: 1, settled: true, options: {} }",
      to: "neither.json5")
    do throws(ScenarioLibrary.Problem) {
      _ = try ScenarioLibrary.anyScenario(neither)
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains("for the sync engine, line 1, column 94: options"), "\(error.message)")
      #expect(
        error.message.contains("for the delivery client, line 1, column 79: settled"), "\(error.message)")
    }
  }
}
