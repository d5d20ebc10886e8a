import DashboardCore
import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TestSupport
import Testing

@testable import Commands

@Suite("The branches that are driven")
struct BranchTests {
  /// An app that asks for a run every ten seconds.
  private static let regular = Scenario.quiet(acts: [
    TimedAct(at: .zero, .trigger(every: .seconds(10), afterChanges: false))
  ])

  private func runs(_ fixture: DriverFixture<SyncWorld>, of branch: Int) throws -> [SyncRun] {
    try fixture.written(SyncMetric.run).filter { $0.branch == branch }
  }

  @Test func `A branch catches up with its parent at once, then both keep the same pace`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Self.regular)
    await fixture.pass(95)
    #expect(try runs(fixture, of: 0).count == 10)
    await fixture.give(.branch(from: 0, step: 5, change: .fault(FaultSetting(.offline))))
    let states = try fixture.written(SyncMetric.simulation)
    let first = try #require(states.first { $0.branch == 1 })
    #expect(first.step == 5 && first.parent == 0)
    let missed = try runs(fixture, of: 1).count
    #expect(missed <= 1)
    let own = try fixture.written(SyncMetric.simulation).filter { $0.branch == 1 }
    #expect(try #require(own.last?.nextAt) > fixture.clock.time.seconds)
    await fixture.give(.toggleFault(.offline, branch: 1))
    await fixture.pass(40)
    let (trunk, other) = (try runs(fixture, of: 0).count, try runs(fixture, of: 1).count - missed)
    // The network's return is one more reason for a run.
    #expect(trunk == 14 && other == 5, "\(trunk) \(other)")
  }

  @Test func `A branch catches up while all stands still, and no further`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Self.regular)
    await fixture.pass(95)
    await fixture.give(.toggleRunning, .branch(from: 0, step: 0, change: nil))
    #expect(try runs(fixture, of: 1).count == 10)
    await fixture.pass(100)
    #expect(try runs(fixture, of: 0).count == 10 && runs(fixture, of: 1).count == 10)
    await fixture.give(.toggleRunning)
    await fixture.pass(40)
    #expect(try runs(fixture, of: 0).count == 14 && runs(fixture, of: 1).count == 14)
  }

  @Test func `A branch is stepped alone, and the others follow when all run on`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Self.regular)
    await fixture.pass(15)
    await fixture.give(.branch(from: 0, step: 3, change: nil))
    for _ in 0..<40 { await fixture.give(.step(branch: 1)) }
    let ahead = try runs(fixture, of: 1).count
    #expect(try ahead > 5 && runs(fixture, of: 0).count == 2)
    await fixture.give(.toggleRunning)
    await fixture.pass(1)
    #expect(try abs(runs(fixture, of: 0).count - ahead) <= 1)
  }

  @Test func `A branch that was dropped is played no more, and the main branch stays`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Self.regular)
    await fixture.give(.branch(from: 0, step: 0, change: nil), .branch(from: 1, step: 0, change: nil))
    await fixture.give(.drop(branch: 1), .drop(branch: 0), .drop(branch: 1), .step(branch: 9))
    #expect(
      fixture.sentences() == [
        "The main branch cannot be dropped", "Branch 1 no longer exists", "Branch 9 no longer exists",
      ])
    await fixture.pass(35)
    let count = try runs(fixture, of: 0).count
    let (first, second) = (try runs(fixture, of: 1).count, try runs(fixture, of: 2).count)
    #expect(count > 2 && first <= 1 && second == count, "\(count) \(first) \(second)")
    #expect(try #require(fixture.written(SyncMetric.simulation).last { $0.branch == 1 }).running == false)
    // The number of a branch that was dropped is not given again.
    await fixture.give(.branch(from: 0, step: 0, change: nil))
    #expect(try fixture.written(SyncMetric.simulation).contains { $0.branch == 3 })
  }

  @Test func `A branch with a long past comes in pieces, and orders are taken meanwhile`() throws {
    let (start, end) = (Timestamp(1_000), Timestamp(5_000))
    let host = SimulationHost<SyncWorld>(
      catalog: ScenarioCatalog([Self.regular], stories: []), at: start)
    try host.start(Self.regular, at: start)
    repeat { host.pass(until: end, isLive: false) } while host.isBehind
    let steps = try #require(host.branches.first).steps
    #expect(steps > 1_000 && host.handle(.branch(from: 0, step: .max, change: nil), at: end).isEmpty)
    #expect(host.branches.count == 1 && host.coming.count == 1)
    host.pass(until: end)
    #expect(host.handle(.changeSpeed(by: 1), at: end).isEmpty && host.coming.count == 1)
    _ = host.takeEntries()
    repeat { host.pass(until: end) } while host.isBehind
    #expect(host.branches.map(\.steps) == [steps, steps] && host.branches.map(\.speed) == [2, 2])
    let first = try #require(host.takeEntries().first).decode(SyncSimulationRecord.self)
    #expect(first.branch == 1 && first.step == steps && first.speed == 1)
    _ = host.handle(.branch(from: 1, step: .max, change: nil), at: end)
    #expect(host.handle(.drop(branch: 2), at: end).isEmpty && host.coming.isEmpty && !host.isBehind)
  }

  @Test func `There are only so many branches`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Self.regular)
    for _ in 0..<9 { await fixture.give(.branch(from: 0, step: .max, change: nil)) }
    #expect(fixture.sentences() == Array(repeating: "8 branches are the limit: drop one", count: 2))
  }

  @Test func `A leap of one branch takes all with it`() async throws {
    let fixture = try DriverFixture<SyncWorld>(Self.regular)
    await fixture.give(.branch(from: 0, step: 0, change: nil))
    await fixture.give(.perform(.leap(.seconds(3_600)), branch: 0))
    await fixture.pass(25)
    #expect(try runs(fixture, of: 1).count >= 360 && runs(fixture, of: 0).count < 10)
  }

  @Test func `A session is kept as a scenario and a test, and never over a file`() async throws {
    let folder = try TemporaryFolder()
    let fixture = try DriverFixture<SyncWorld>(Self.regular, folder: folder.url.path)
    await fixture.pass(15)
    await fixture.give(.toggleFault(.rateLimit, branch: 0))
    let mark = fixture.clock.time
    await fixture.pass(40)
    #expect(
      await said(fixture, .writeTest(name: "Limited", branch: 0, since: mark))
        == "Wrote Limited.json5 and LimitedTests.swift")
    let session = try ScenarioLibrary.scenario(folder.path("Limited.json5"))
    #expect(try session.expected == session.transitions() && session.expected.count > 5)
    #expect(session.expected.allSatisfy { !$0.hasPrefix("     0.") })
    #expect(
      try String(contentsOfFile: folder.path("LimitedTests.swift"), encoding: .utf8).contains(
        "struct LimitedTests"))
    #expect(
      await said(fixture, .writeTest(name: "Limited", branch: 0, since: nil))
        == "No test was written: Limited.json5: already exists")
    _ = try folder.write("mine", to: "OtherTests.swift")
    #expect(
      await said(fixture, .writeTest(name: "Other", branch: 0, since: nil))
        == "No test was written: OtherTests.swift: already exists")
    #expect(
      await said(fixture, .writeTest(name: "../x", branch: 0, since: nil)).hasPrefix(
        "No test was written: a name"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == ["Limited.json5", "LimitedTests.swift", "OtherTests.swift"])
    #expect(try String(contentsOfFile: folder.path("OtherTests.swift"), encoding: .utf8) == "mine")
  }

  /// The answer to an order, however long that takes.
  private func said(_ fixture: DriverFixture<SyncWorld>, _ order: SimulationOrder<SyncSimulated>) async
    -> String
  {
    await fixture.give(order)
    while true {
      if let sentence = fixture.sentences().first { return sentence }
      await Task.yield()
    }
  }
}
