import Codecs
import DashboardCore
import JSONLines
package import MisterMetricsCore
package import Platform

/// The record of a sync engine as it comes, for those who have no screen.
package struct SyncReading {
  private(set) var log = SyncLog()

  /// Nothing yet.
  package init() {}

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

  /// The engine's activity at a moment and the reason for it, in one sentence.
  package func sentence(at moment: Timestamp) -> String {
    EngineSentence(of: log.state(of: 0), at: moment, zone: .utc).wordings.first ?? ""
  }
}
