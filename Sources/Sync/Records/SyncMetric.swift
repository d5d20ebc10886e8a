package import MisterMetricsCore

/// The metrics that a sync engine records; the Sync screen shows nothing but these and those of a simulation.
package enum SyncMetric {
  /// The bucket of them all.
  package static let bucket = Bucket("sync")
  /// Every decision.
  package static let transition = Metric<SyncTransition>(name: "transition", in: bucket)
  /// Every change of a mutation.
  package static let mutation = Metric<SyncMutation>(name: "mutation", in: bucket)
  /// The length of the queue after each change.
  package static let pending = Metric<Int>(name: "pending", in: bucket)
  /// The breaker whenever it changed.
  package static let breaker = Metric<SyncBreaker>(name: "breaker", in: bucket)
  /// The end of every run.
  package static let run = Metric<SyncRun>(name: "run", in: bucket)
  /// Every conflict, with what became of it.
  package static let conflict = Metric<SyncConflictRecord>(name: "conflict", in: bucket)
  /// The constants in force.
  package static let configuration = Metric<SyncConfiguration>(name: "configuration", in: bucket)
}
