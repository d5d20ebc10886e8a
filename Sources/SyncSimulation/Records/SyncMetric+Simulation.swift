package import MisterMetrics
package import Sync

extension SyncMetric {
  /// Every fault that was set.
  package static let fault = Metric<SyncFault>(name: "fault", in: bucket)
  /// Every change of the simulation.
  package static let simulation = Metric<SyncSimulationRecord>(name: "simulation", in: bucket)
}
