public import MisterMetrics
public import Sync

extension SyncMetric {
  /// Every fault that was set.
  public static let fault = Metric<SyncFault>(name: "fault", in: bucket)
  /// Every change of the simulation.
  public static let simulation = Metric<SyncSimulationRecord>(name: "simulation", in: bucket)
}
