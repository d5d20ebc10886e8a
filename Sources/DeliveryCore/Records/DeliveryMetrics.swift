public import MisterMetricsCore

/// The metrics of a client; together with those of a simulation, everything that the Delivery screen shows.
public enum DeliveryMetrics {
  /// The bucket of all metrics.
  public static let bucket = Bucket("delivery")
  /// Every attempt to post a batch.
  public static let batch = Metric<DeliveryBatch>(name: "batch", in: bucket)
  /// Waiting events and the next attempt, after each change.
  public static let queue = Metric<DeliveryQueue>(name: "queue", in: bucket)
  /// The breaker, after each change.
  public static let breaker = Metric<DeliveryBreaker>(name: "breaker", in: bucket)
  /// Every change of the client's lifecycle.
  public static let lifecycle = Metric<DeliveryLifecycle>(name: "lifecycle", in: bucket)
  /// All dropped events.
  public static let drop = Metric<DeliveryDrop>(name: "drop", in: bucket)
  /// Actions of the app or a person.
  public static let act = Metric<DeliveryAct>(name: "act", in: bucket)
}
