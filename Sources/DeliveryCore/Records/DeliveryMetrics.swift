public import MisterMetricsCore

/// The metrics that a client records; with those of a simulation all that the Delivery screen shows.
public enum DeliveryMetrics {
  /// The bucket of them all.
  public static let bucket = Bucket("delivery")
  /// Every attempt to post a batch.
  public static let batch = Metric<DeliveryBatch>(name: "batch", in: bucket)
  /// Waiting events and when they go out, whenever that changed.
  public static let queue = Metric<DeliveryQueue>(name: "queue", in: bucket)
  /// The breaker whenever it changed.
  public static let breaker = Metric<DeliveryBreaker>(name: "breaker", in: bucket)
  /// Every change of the client's life.
  public static let lifecycle = Metric<DeliveryLifecycle>(name: "lifecycle", in: bucket)
  /// All events that were abandoned.
  public static let drop = Metric<DeliveryDrop>(name: "drop", in: bucket)
  /// Actions of the app or a person.
  public static let act = Metric<DeliveryAct>(name: "act", in: bucket)
}
