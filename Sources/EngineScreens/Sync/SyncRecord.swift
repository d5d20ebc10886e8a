import Codecs
package import DashboardCore
import JSONLines
import MisterMetricsCore
package import Sync
package import SyncSimulation
package import TelemetryCore

/// The content of one recorded entry about a sync engine.
package enum SyncRecord: EngineRecord, Hashable {
  package typealias Breaker = SyncBreaker

  case transition(SyncTransition)
  case mutation(SyncMutation)
  case pending(Int)
  case breaker(SyncBreaker)
  case run(SyncRun)
  case network(SyncNetwork)
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
    case .network(let record): record.branch
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
    case (SyncMetric.bucket.id, "transition"): decoded { SyncRecord.transition($0) }
    case (SyncMetric.bucket.id, "mutation"): decoded { SyncRecord.mutation($0) }
    case (SyncMetric.bucket.id, "pending"): decoded { SyncRecord.pending($0) }
    case (SyncMetric.bucket.id, "breaker"): decoded { SyncRecord.breaker($0) }
    case (SyncMetric.bucket.id, "run"): decoded { SyncRecord.run($0) }
    case (SyncMetric.bucket.id, "network"): decoded { SyncRecord.network($0) }
    case (SyncMetric.bucket.id, "conflict"): decoded { SyncRecord.conflict($0) }
    case (SyncMetric.bucket.id, "fault"): decoded { SyncRecord.fault($0) }
    case (SyncMetric.bucket.id, "caption"): decoded { SyncRecord.caption($0) }
    case (SyncMetric.bucket.id, "simulation"): decoded { SyncRecord.simulation($0) }
    case (SyncMetric.bucket.id, "configuration"): decoded { SyncRecord.configuration($0) }
    case (SyncSignposts.category, _) where metric.typeName == "SignpostInterval":
      decoded { SyncRecord.interval(name: metric.name, $0) }
    case (SyncSignposts.category, _) where metric.typeName == "SignpostEvent":
      decoded { SyncRecord.event(name: metric.name, $0) }
    default: nil
    }
  }
}
