import DeliveryCore
package import JSONLines
import MisterMetricsCore
package import Platform
import Sync
import TelemetryCore

/// An entry of an engine as it came out of the file: not yet decoded, for most dashboards never show it.
package struct RawEngineEntry: Sendable, Hashable {
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

  /// The engine that the entries of a metric tell of; `nil` for all other metrics.
  package static func engine(of metric: MetricIdentity) -> EngineKind? {
    switch metric.bucket {
    case SyncMetric.bucket.id: .sync
    case SyncSignposts.category:
      metric.typeName == "SignpostInterval" || metric.typeName == "SignpostEvent" ? .sync : nil
    case DeliveryMetrics.bucket.id: .delivery
    default: nil
    }
  }
}
