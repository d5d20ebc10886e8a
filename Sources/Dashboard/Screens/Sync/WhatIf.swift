import Foundation
import JSONLines
package import MisterMetrics
import Platform
import Sync
package import SyncSimulation

/// A second branch of a simulation that runs without a screen, and how it compares with the main branch.
package struct WhatIf {
  /// The change, in words.
  package let change: String
  /// When the second branch starts, from the start of the scenario.
  package let moment: Duration
  private var log = SyncLog()

  package init(change: String, at moment: Duration) {
    self.change = change
    self.moment = moment
  }

  /// Adds recorded entries.
  package mutating func add(_ entries: [MetricEntry]) {
    log.append(
      entries.map { entry in
        RawEngineEntry(
          time: Timestamp(entry.timestamp),
          metric: MetricIdentity(
            bucket: entry.metric.bucket?.id, name: entry.metric.name, typeName: entry.metric.valueTypeString),
          json: Array(entry.value))
      })
  }

  /// The second branch, at its first step; `nil` if the words describe no change.
  package func branch(of simulation: Simulation) throws -> Simulation? {
    let start = Timestamp(simulation.scenario.start)
    let engine = log.state(at: start + moment / .seconds(1))
    guard let act = SyncActs.change(change, of: engine) else { return nil }
    return try simulation.branched(at: engine.simulation?.step ?? 0, as: simulation.branch + 1, change: act)
  }

  /// What differs, in one line.
  package var summary: String {
    let comparison = SyncComparison(log: log, of: 0, and: 1, columns: 1)
    return "\(log.change(of: 1)): \(comparison?.difference ?? "no difference so far")"
  }
}
