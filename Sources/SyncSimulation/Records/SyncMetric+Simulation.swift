package import MisterMetricsCore
package import Sync

extension SyncMetric {
  /// Every fault that was set.
  package static let fault = Metric<SyncFault>(name: "fault", in: bucket)
  /// The story of a scenario at its moments.
  package static let caption = Metric<SyncCaption>(name: "caption", in: bucket)
  /// Every change of the simulation.
  package static let simulation = Metric<SyncSimulationRecord>(name: "simulation", in: bucket)
}
