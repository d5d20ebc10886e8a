import Dashboard
import Foundation
import JSONLines
import MisterMetrics
import Sync

/// A second future of a simulation that is played without a screen, and what it comes to beside the first one.
struct WhatIf {
  /// What is different, as a person says it.
  let change: String
  /// When the second future begins, since the start.
  let moment: Duration
  private var log = SyncLog()

  init(change: String, at moment: Duration) {
    self.change = change
    self.moment = moment
  }

  /// Takes note of what is recorded.
  mutating func take(_ entries: [MetricEntry]) {
    log.append(
      entries.map { entry in
        RawSyncEntry(
          time: entry.timestamp.timeIntervalSinceReferenceDate,
          metric: MetricIdentity(
            bucket: entry.metric.bucket?.id, name: entry.metric.name, typeName: entry.metric.valueTypeString),
          json: Array(entry.value))
      })
  }

  /// The second future, at its first step; `nil` where the words describe no change.
  func branch(of simulation: Simulation) throws -> Simulation? {
    let start = simulation.scenario.start.timeIntervalSinceReferenceDate
    let picture = log.picture(at: start + moment / .seconds(1))
    guard let act = SyncActs.change(change, of: picture) else { return nil }
    return try simulation.branched(at: picture.simulation?.step ?? 0, as: simulation.branch + 1, change: act)
  }

  /// What is different, in one line.
  var words: String {
    let comparison = SyncComparison(log: log, of: 0, and: 1, columns: 1)
    return "\(log.change(of: 1)): \(comparison?.difference ?? "no difference so far")"
  }
}
