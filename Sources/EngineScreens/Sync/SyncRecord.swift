import Codecs
package import DashboardCore
import JSONLines
import MisterMetricsCore
package import Sync
package import SyncSimulation
package import TelemetryCore

/// The content of one recorded entry about a sync engine.
package enum SyncRecord: EngineRecord, Hashable {
  case transition(SyncTransition)
  case mutation(SyncMutation)
  case pending(Int)
  case breaker(SyncBreaker)
  case run(SyncRun)
  case conflict(SyncConflictRecord)
  case fault(SyncFault)
  case caption(SyncCaption)
  case simulation(SyncSimulationRecord)
  case configuration(SyncConfiguration)
  case interval(name: String, SignpostInterval)
  case event(name: String, SignpostEvent)

  package var branch: Int? {
    switch self {
    case .transition(let record): record.branch
    case .mutation(let record): record.branch
    case .breaker(let record): record.branch
    case .run(let record): record.branch
    case .conflict(let record): record.branch
    case .fault(let record): record.branch
    case .caption(let record): record.branch
    case .simulation(let record): record.branch
    case .pending, .configuration, .interval, .event: nil
    }
  }

  package var simulation: SyncSimulationRecord? {
    if case .simulation(let simulation) = self { simulation } else { nil }
  }

  package init?(_ raw: RawEngineEntry) {
    guard let record = raw.record else { return nil }
    self = record
  }
}

extension SyncSimulationRecord: SimulationStatement {}

extension RawEngineEntry {
  fileprivate var record: SyncRecord? {
    switch (metric.bucket, metric.name) {
    case (SyncMetric.bucket.id, "transition"): decoded { .transition($0) }
    case (SyncMetric.bucket.id, "mutation"): decoded { .mutation($0) }
    case (SyncMetric.bucket.id, "pending"): decoded { .pending($0) }
    case (SyncMetric.bucket.id, "breaker"): decoded { .breaker($0) }
    case (SyncMetric.bucket.id, "run"): decoded { .run($0) }
    case (SyncMetric.bucket.id, "conflict"): decoded { .conflict($0) }
    case (SyncMetric.bucket.id, "fault"): decoded { .fault($0) }
    case (SyncMetric.bucket.id, "caption"): decoded { .caption($0) }
    case (SyncMetric.bucket.id, "simulation"): decoded { .simulation($0) }
    case (SyncMetric.bucket.id, "configuration"): decoded { .configuration($0) }
    case (SyncSignposts.category, _) where metric.typeName == "SignpostInterval":
      decoded { .interval(name: metric.name, $0) }
    case (SyncSignposts.category, _) where metric.typeName == "SignpostEvent":
      decoded { .event(name: metric.name, $0) }
    default: nil
    }
  }

  private func decoded<Value: Decodable>(_ make: (Value) -> SyncRecord) -> SyncRecord? {
    FlatDecoder.decode(Value.self, from: json).map(make)
  }
}
