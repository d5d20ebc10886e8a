import DashboardCore
import JSONLines
package import MisterMetricsCore
import Platform

/// The record of a simulation as it comes, for those who have no screen.
package struct EngineReading<World: ComparedWorld> {
  private(set) var log = EngineLog<World.Folded>()

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

  /// The main branch as its record tells it.
  package var engine: World.Folded { log.state(of: 0) }
}
