import Codecs
package import JSONLines
import MisterMetrics
package import Sync
package import Telemetry

/// What one recorded entry says about a sync engine.
package enum SyncRecord: Sendable, Hashable {
  case transition(SyncTransition)
  case mutation(SyncMutation)
  case pending(Int)
  case breaker(SyncBreaker)
  case run(SyncRun)
  case fault(SyncFault)
  case simulation(SyncSimulation)
  case configuration(SyncConfiguration)
  case interval(name: String, SignpostInterval)
  case event(name: String, SignpostEvent)

  /// The future that the entry belongs to; `nil` for what does not say.
  var branch: Int? {
    switch self {
    case .transition(let record): record.branch
    case .mutation(let record): record.branch
    case .breaker(let record): record.branch
    case .run(let record): record.branch
    case .fault(let record): record.branch
    case .simulation(let record): record.branch
    case .pending, .configuration, .interval, .event: nil
    }
  }
}

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

  /// What the entry says; `nil` when its value is not what its metric promises.
  package var record: SyncRecord? {
    switch (metric.bucket, metric.name) {
    case (SyncMetric.bucket.id, "transition"): decoded { .transition($0) }
    case (SyncMetric.bucket.id, "mutation"): decoded { .mutation($0) }
    case (SyncMetric.bucket.id, "pending"): decoded { .pending($0) }
    case (SyncMetric.bucket.id, "breaker"): decoded { .breaker($0) }
    case (SyncMetric.bucket.id, "run"): decoded { .run($0) }
    case (SyncMetric.bucket.id, "fault"): decoded { .fault($0) }
    case (SyncMetric.bucket.id, "simulation"): decoded { .simulation($0) }
    case (SyncMetric.bucket.id, "configuration"): decoded { .configuration($0) }
    case (SyncMetrics.category, _) where metric.typeName == "SignpostInterval":
      decoded { .interval(name: metric.name, $0) }
    case (SyncMetrics.category, _) where metric.typeName == "SignpostEvent":
      decoded { .event(name: metric.name, $0) }
    default: nil
    }
  }

  private func decoded<Value: Decodable>(_ make: (Value) -> SyncRecord) -> SyncRecord? {
    FlatDecoder.decode(Value.self, from: json).map(make)
  }
}
