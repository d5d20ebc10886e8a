import DashboardCore
import Foundation
import MisterMetricsCore
import Platform
import SimulationKit
import TestSupport
import Testing

@testable import Commands

/// Orders as a person in a hurry gives them to the simulation of one engine, while time passes as it likes.
struct OrderFuzz<World: HostedWorld> {
  typealias Order = SimulationOrder<World.Engine>

  /// The part that runs first.
  let scenario: DrivenScenario<World>
  /// The names of scenarios that are started, one of none among them.
  let stories: [String]
  /// Something that can be done by hand.
  let act: (inout SeededGenerator) -> World.Act

  /// True if every entry is written once and in order, whatever is wanted, and whether each branch can be played again.
  func check(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try DriverFixture<World>(scenario)
    let catalog = ScenarioCatalog([scenario], stories: try World.stories())
    let host = SimulationHost<World>(catalog: catalog, at: fixture.clock.time)
    try host.start(scenario, at: fixture.clock.time)
    var written = WrittenBranches<World>()
    for _ in 0..<40 {
      let orders = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        order(&random, plays: seed.isMultiple(of: 3))
      }
      let now = fixture.clock.time
      for order in orders { fixture.driver.take(order) }
      _ = await fixture.driver.turn()
      try written.add(turn(host, orders, at: now))
      #expect(fixture.store.entries.count == written.all.count)
      let pauses = [0, 0.001, 0.05, 0.5, 2, Int.random(in: 0..<20, using: &random) == 0 ? 4_000 : 0.3]
      fixture.clock.time += pauses.randomElement(using: &random) ?? 0
      // A new play begins again.
      if orders.contains(where: { if case .play = $0 { true } else { false } }) { written.forget() }
    }
    #expect(fixture.store.entries == written.all)
    for simulation in host.branches { try written.compare(simulation) }
  }

  private func order(_ random: inout SeededGenerator, plays: Bool) -> Order {
    // Futures that are there, that are not any more, and that never were.
    let branch = max(0, Int.random(in: -4...4, using: &random))
    guard let fault = World.Engine.Fault.allCases.randomElement(using: &random) else {
      return .toggleRunning
    }
    switch Int.random(in: 0..<(plays ? 40 : 39), using: &random) {
    case 0...2: return .toggleRunning
    case 3...5: return .step(branch: branch)
    case 6...8: return .changeSpeed(by: Int.random(in: -2...3, using: &random))
    case 9...20: return .perform(act(&random), branch: branch)
    case 21...25: return .toggleFault(fault, branch: branch)
    case 26: return .adjustFault(fault, steps: Int.random(in: -9...9, using: &random), branch: branch)
    case 27: return .changeLikelihood(fault, branch: branch)
    case 28: return .changeScope(fault, branch: branch)
    case 29...31: return .undoFault(branch: branch)
    case 32...35:
      let step = [Int.min, 0, 1, 7, 50, 400, .max].randomElement(using: &random) ?? 0
      let change = Bool.random(using: &random) ? act(&random) : nil
      return .branch(from: branch, step: step, change: change)
    case 36...38: return .drop(branch: branch)
    default: return .play(scenario: stories.randomElement(using: &random) ?? "")
    }
  }

  /// Lets a host do what a driver lets it do in a turn.
  private func turn(_ host: SimulationHost<World>, _ orders: [Order], at now: Timestamp) -> [MetricEntry] {
    var entries: [MetricEntry] = []
    for order in orders { _ = host.handle(order, at: now) }
    repeat {
      host.pass(until: now)
      entries += host.takeEntries()
    } while host.isBehind
    _ = host.nextTurn(after: now, pause: 0.01)
    return entries
  }
}

/// The entries in the file, and their branches.
struct WrittenBranches<World: HostedWorld> {
  private(set) var all: [MetricEntry] = []
  private var ofBranch: [Int: [MetricEntry]] = [:]
  private var writer = 0
  private var isWhole = true

  /// A play that others followed is not compared.
  mutating func forget() { isWhole = false }

  mutating func add(_ entries: [MetricEntry]) throws {
    for entry in entries {
      let isStatement = entry.metric.name == "simulation"
      let value = try JSONSerialization.jsonObject(with: entry.value, options: .fragmentsAllowed)
      let branch = (value as? [String: Any])?["branch"] as? Int
      if isStatement, let branch { writer = branch }
      // The rule of two branches: only a statement says that another one goes on.
      #expect(branch == nil || branch == writer)
      if !isStatement { ofBranch[writer, default: []].append(entry) }
    }
    all += entries
  }

  /// A main branch whose session is played again records the same; another branch from where it began.
  func compare(_ future: SimulationSession<World>) throws {
    guard isWhole else { return }
    let again = try SimulationSession<World>(future.session)
    while again.step() {}
    let expected = again.takeEntries().filter { $0.metric.name != "simulation" }.map(Self.withoutBranch)
    let found = (ofBranch[future.branch] ?? []).map(Self.withoutBranch)
    // A branch says its constants where it begins; a session is played on to its last whole millisecond.
    let isMain = future.branch == 0
    let own = isMain ? found : Array(found.dropFirst())
    let starts = isMain ? 0...0 : 0...max(0, expected.count - own.count)
    #expect(starts.contains { expected[$0...].starts(with: own) }, "\(future.branch)")
  }

  private static func withoutBranch(_ entry: MetricEntry) -> String {
    let text = String(decoding: entry.value, as: UTF8.self)
      .replacingOccurrences(of: "\"branch\":[0-9]+", with: "", options: .regularExpression)
    return "\(entry.timestamp.timeIntervalSinceReferenceDate) \(entry.metric.name) \(text)"
  }
}
