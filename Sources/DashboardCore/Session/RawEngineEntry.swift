import DeliveryCore
package import JSONLines
import MisterMetricsCore
package import Platform
import Sync
import TelemetryCore

/// An entry of an engine as read from the file; not decoded yet, because most dashboards never show it.
package struct RawEngineEntry: Sendable, Hashable {
  /// When it was recorded.
  package let time: Timestamp
  /// The metric of the entry.
  package let metric: MetricIdentity
  /// The JSON of its value.
  package let json: [UInt8]
  /// Arrival by the wall clock; `nil` for data present at the opening.
  package let arrival: Timestamp?

  package init(time: Timestamp, metric: MetricIdentity, json: [UInt8], arrival: Timestamp? = nil) {
    self.time = time
    self.metric = metric
    self.json = json
    self.arrival = arrival
  }

  /// The engine described by the entries of a metric; `nil` for all other metrics.
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
