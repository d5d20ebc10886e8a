public import MisterMetrics

/// The metrics that a sync engine records; the Sync screen shows nothing but these and those of a simulation.
public enum SyncMetric {
  /// The bucket of them all.
  public static let bucket = Bucket("sync")
  /// Every decision.
  public static let transition = Metric<SyncTransition>(name: "transition", in: bucket)
  /// Every change of a mutation.
  public static let mutation = Metric<SyncMutation>(name: "mutation", in: bucket)
  /// The length of the queue after each change.
  public static let pending = Metric<Int>(name: "pending", in: bucket)
  /// The breaker whenever it changed.
  public static let breaker = Metric<SyncBreaker>(name: "breaker", in: bucket)
  /// The end of every run.
  public static let run = Metric<SyncRun>(name: "run", in: bucket)
  /// Every conflict, with what became of it.
  public static let conflict = Metric<SyncConflictRecord>(name: "conflict", in: bucket)
  /// The constants in force.
  public static let configuration = Metric<SyncConfiguration>(name: "configuration", in: bucket)
}
