import Dashboard
import Foundation
import MisterMetrics
import Platform
import Sync
import TestSupport
import Testing

@testable import Commands

/// Orders as a person in a hurry gives them, while time passes as it likes.
@Suite("Orders at random")
struct OrderFuzzTests {
  private static let stories = ["rate-limit-storm", "healthy-day", "busy", "none"]

  /// Changes all the time, and now and then something that goes wrong.
  private static var busy: Scenario {
    var scenario = DriverFixture.quiet(acts: [
      TimedAct(at: .zero, .fault(FaultSetting(.jitter, amount: 40))),
      TimedAct(at: .zero, .trigger(every: .seconds(9), afterChanges: true)),
      TimedAct(at: .zero, .generate(isRemote: false, perMinute: 10)),
      TimedAct(at: .seconds(40), .fault(FaultSetting(.rateLimit, scope: FaultScope(.push)))),
      TimedAct(at: .seconds(90), .fault(FaultSetting(.rateLimit, isOn: false))),
    ])
    scenario.name = "busy"
    return scenario
  }

  private static func act(_ random: inout SeededGenerator) -> SimulationAct {
    let change = SimulatedChange(
      [.create, .update, .delete].randomElement(using: &random) ?? .create, kind: "event",
      count: Int.random(in: 1...5, using: &random), isPoison: Int.random(in: 0..<4, using: &random) == 0)
    let acts: [SimulationAct] = [
      .change(change), .remoteChange(change), .requestSync, .resetBreaker, .clearPending, .forceResync,
      .skipToLatest, .resetStore, .clearFaults, .leap(.seconds(Int.random(in: 1...400, using: &random))),
      .generate(
        isRemote: Bool.random(using: &random), perMinute: Double(Int.random(in: 0...20, using: &random))),
      .trigger(
        every: .seconds(Int.random(in: 1...30, using: &random)), afterChanges: Bool.random(using: &random)),
      .fault(FaultSetting(.rateLimit, probability: 0.5)),
    ]
    return acts.randomElement(using: &random) ?? .requestSync
  }

  private static func order(_ random: inout SeededGenerator, plays: Bool) -> SimulationOrder<SyncSimulated> {
    // Futures that are there, that are not any more, and that never were.
    let branch = max(0, Int.random(in: -4...4, using: &random))
    let fault = SimulatedFault.allCases.randomElement(using: &random) ?? .offline
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
  private static func turn(
    _ host: SimulationHost, _ orders: [SimulationOrder<SyncSimulated>], at now: Timestamp
  )
    -> [MetricEntry]
  {
    var entries: [MetricEntry] = []
    for order in orders { _ = host.handle(order, at: now) }
    repeat {
      host.pass(until: now)
      entries += host.takeEntries()
    } while host.isBehind
    _ = host.nextTurn(after: now, pause: 0.01)
    return entries
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `Every entry is written once and in order, whatever is wanted`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try DriverFixture(Self.busy)
    let host = SimulationHost(catalog: try ScenarioCatalog([Self.busy]), at: fixture.clock.time)
    try host.start(Self.busy, at: fixture.clock.time)
    var written = Written()
    for _ in 0..<40 {
      let orders = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Self.order(&random, plays: seed.isMultiple(of: 3))
      }
      let now = fixture.clock.time
      for order in orders { fixture.driver.take(.sync(order)) }
      _ = await fixture.driver.turn()
      try written.add(Self.turn(host, orders, at: now))
      #expect(fixture.store.entries.count == written.all.count)
      let pauses = [0, 0.001, 0.05, 0.5, 2, Int.random(in: 0..<20, using: &random) == 0 ? 4_000 : 0.3]
      fixture.clock.time += pauses.randomElement(using: &random) ?? 0
      // A new play begins anew.
      if orders.contains(where: { if case .play = $0 { true } else { false } }) { written.forget() }
    }
    #expect(fixture.store.entries == written.all)
    for future in host.futures { try written.compare(future) }
  }

  /// What is in the file, and which of it belongs to which future.
  private struct Written {
    private(set) var all: [MetricEntry] = []
    private var ofFuture: [Int: [MetricEntry]] = [:]
    private var writer = 0
    private var isWhole = true

    /// A play that others followed is not compared.
    mutating func forget() { isWhole = false }

    mutating func add(_ entries: [MetricEntry]) throws {
      for entry in entries {
        let isStatement = entry.metric == AnyMetric(SyncMetric.simulation)
        let value = try JSONSerialization.jsonObject(with: entry.value, options: .fragmentsAllowed)
        let branch = (value as? [String: Any])?["branch"] as? Int
        if isStatement, let branch { writer = branch }
        // The rule of two futures: only a statement says that another one goes on.
        #expect(branch == nil || branch == writer)
        if !isStatement { ofFuture[writer, default: []].append(entry) }
      }
      all += entries
    }

    /// A future whose session is played anew records the same; a branch from where it began.
    func compare(_ future: Simulation) throws {
      guard isWhole else { return }
      let again = try Simulation(future.session)
      while again.step() {}
      let expected = again.takeEntries().filter { $0.metric != AnyMetric(SyncMetric.simulation) }
        .map(Self.withoutBranch)
      let found = (ofFuture[future.branch] ?? []).map(Self.withoutBranch)
      // A branch says its constants where it begins; a session is played on to its last whole millisecond.
      let own = future.parent == nil ? found : Array(found.dropFirst())
      let starts = future.parent == nil ? 0...0 : 0...max(0, expected.count - own.count)
      #expect(starts.contains { expected[$0...].starts(with: own) }, "\(future.branch)")
    }

    private static func withoutBranch(_ entry: MetricEntry) -> String {
      let text = String(decoding: entry.value, as: UTF8.self)
        .replacingOccurrences(of: "\"branch\":[0-9]+", with: "", options: .regularExpression)
      return "\(entry.timestamp.timeIntervalSinceReferenceDate) \(entry.metric.name) \(text)"
    }
  }
}
