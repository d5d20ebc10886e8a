package import MisterMetricsCore

/// Metrics of a sync engine; the Sync screen shows only these and those of a simulation.
package enum SyncMetric {
  /// The bucket of all metrics.
  package static let bucket = Bucket("sync")
  /// Every decision of the machine.
  package static let transition = Metric<SyncTransition>(name: "transition", in: bucket)
  /// Every change of a mutation's state.
  package static let mutation = Metric<SyncMutation>(name: "mutation", in: bucket)
  /// The length of the queue after each change.
  package static let pending = Metric<Int>(name: "pending", in: bucket)
  /// The breaker, after each change.
  package static let breaker = Metric<SyncBreaker>(name: "breaker", in: bucket)
  /// The end of every run.
  package static let run = Metric<SyncRun>(name: "run", in: bucket)
  /// Every conflict, with its resolution.
  package static let conflict = Metric<SyncConflictRecord>(name: "conflict", in: bucket)
  /// The loss of the network; its return is a decision.
  package static let network = Metric<SyncNetwork>(name: "network", in: bucket)
  /// The constants in force.
  package static let configuration = Metric<SyncConfiguration>(name: "configuration", in: bucket)
}
