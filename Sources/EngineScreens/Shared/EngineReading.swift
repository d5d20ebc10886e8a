import DashboardCore
import JSONLines
package import MisterMetricsCore
import Platform

/// The record of a running simulation, for use without a screen.
package struct EngineReading<World: ComparedWorld> {
  private(set) var log = EngineLog<World.Folded>()

  /// An empty record.
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

  /// The main branch according to its record.
  package var engine: World.Folded { log.state(of: 0) }
}
