package import JSONLines
import MisterMetrics
import Sync
import Telemetry

/// An entry of a sync engine as it came out of the file: not yet decoded, for most dashboards never show it.
package struct RawSyncEntry: Sendable, Hashable {
  /// When it was recorded, in seconds since 2001.
  package let time: Double
  /// Which metric it is of.
  package let metric: MetricIdentity
  /// The JSON of its value.
  package let json: [UInt8]
  /// When it came in, on the wall clock in seconds since 2001; `nil` for what was there at the opening.
  package let arrival: Double?

  package init(time: Double, metric: MetricIdentity, json: [UInt8], arrival: Double? = nil) {
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
