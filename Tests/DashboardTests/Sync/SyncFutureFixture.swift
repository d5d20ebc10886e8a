import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import Sync
import SyncSimulation
import Testing

@testable import DashboardCore
@testable import EngineScreens

/// A simulation of which a future branches off, and what both record.
struct SyncFutures {
  let name: String
  /// The trunk's record up to the step at which the other one leaves it, and after it.
  let shared: [MetricEntry]
  let trunk: [MetricEntry]
  /// The record of the other one.
  let branch: [MetricEntry]
  let step: Int

  /// - Parameters:
  ///   - share: At which part of all steps the other future leaves, from 0 to 1.
  ///   - change: What it does otherwise.
  init(
    _ name: String, share: Double, change: SimulationAct? = .resetBreaker, number: Int = 1,
    seed: UInt64? = nil
  ) throws {
    let file = try #require(Scenarios.stories.first { $0.name == name })
    let trunk = try Simulation(try Scenario(json5: Data(file.bytes)), seed: seed)
    while trunk.step() {}
    let step = Int(Double(trunk.steps) * share)
    let entries = trunk.takeEntries()
    let place = try #require(
      try entries.lastIndex {
        guard $0.metric == AnyMetric(SyncMetric.simulation) else { return false }
        return try $0.decode(SyncSimulationRecord.self).step <= step
      })
    let branch = try trunk.branched(at: step, as: number, change: change)
    while branch.step() {}
    self.name = name
    self.step = step
    shared = Array(entries[...place])
    self.trunk = Array(entries[(place + 1)...])
    self.branch = branch.takeEntries()
  }

  /// When the futures part.
  var moment: Timestamp { shared.last.map { Timestamp($0.timestamp) } ?? Timestamp(0) }

  /// Both futures as they are written in turns: whole steps of one, then of the other one, each turn begun with what
  /// that simulation said of itself last.
  func inTurns(using generator: inout some RandomNumberGenerator) -> [MetricEntry] {
    var result = shared
    var rest = [Self.steps(trunk)[...], Self.steps(branch)[...]]
    var said: [MetricEntry?] = [shared.last, nil]
    var writer = 0
    while rest.contains(where: { !$0.isEmpty }) {
      let next = rest[0].isEmpty ? 1 : rest[1].isEmpty ? 0 : Int.random(in: 0...1, using: &generator)
      if next != writer, let again = said[next] { result.append(again) }
      writer = next
      for entry in rest[next].removeFirst() {
        result.append(entry)
        if entry.metric == AnyMetric(SyncMetric.simulation) { said[next] = entry }
      }
    }
    return result
  }

  /// Entries by steps, each of which ends with what the simulation says of itself.
  private static func steps(_ entries: [MetricEntry]) -> [[MetricEntry]] {
    var steps: [[MetricEntry]] = [[]]
    for entry in entries {
      steps[steps.count - 1].append(entry)
      if entry.metric == AnyMetric(SyncMetric.simulation) { steps.append([]) }
    }
    return steps.filter { !$0.isEmpty }
  }

  /// The result of reading some entries.
  static func log(_ entries: [MetricEntry]) throws -> SyncLog {
    var log = SyncLog()
    log.append(try SyncFixture.feed(entries).engines.sync.after(0))
    return log
  }
}

extension EngineState {
  /// The names of what is not the same in another picture.
  func differences(from other: EngineState) -> [String] {
    if self == other { return [] }
    return zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap { one, two in
      // Sets have no order to be described in.
      String(describing: one.value).sorted() == String(describing: two.value).sorted() ? nil : one.label
    }
  }
}
