package import MisterMetricsCore
package import Sync

extension SyncMetric {
  /// Fault settings.
  package static let fault = Metric<SyncFault>(name: "fault", in: bucket)
  /// Captions of a scenario.
  package static let caption = Metric<SyncCaption>(name: "caption", in: bucket)
  /// State changes of the simulation.
  package static let simulation = Metric<SyncSimulationRecord>(name: "simulation", in: bucket)
}
