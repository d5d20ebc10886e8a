package import JSONLines
import MisterMetrics
package import Platform
import Sync
import Telemetry

/// An entry of a sync engine as it came out of the file: not yet decoded, for most dashboards never show it.
package struct RawSyncEntry: Sendable, Hashable {
  /// When it was recorded.
  package let time: Timestamp
  /// Which metric it is of.
  package let metric: MetricIdentity
  /// The JSON of its value.
  package let json: [UInt8]
  /// When it came in, by the wall clock; `nil` for what was there at the opening.
  package let arrival: Timestamp?

  package init(time: Timestamp, metric: MetricIdentity, json: [UInt8], arrival: Timestamp? = nil) {
    self.time = time
    self.metric = metric
    self.json = json
    self.arrival = arrival
  }

  /// Whether the entries of a metric tell of a sync engine.
  package static func isWanted(_ metric: MetricIdentity) -> Bool {
    switch metric.bucket {
    case SyncMetric.bucket.id: true
    case SyncMetrics.category: metric.typeName == "SignpostInterval" || metric.typeName == "SignpostEvent"
    default: false
    }
  }
}
