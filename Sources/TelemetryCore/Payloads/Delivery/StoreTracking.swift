public import MisterMetricsCore

/// Records events through a metric store, without waiting for it.
///
/// The bucket is `tracking`, the metric is the event's name, and the value a ``TrackingEvent``: the event of
/// ``TrackingSubscriber`` is `tracking.metrics_received` with the fields `attributes.first_draw_avg` and
/// `attributes.hang_time_avg`.
public struct StoreTracking: TrackingService {
  /// The bucket of all events.
  public static let bucket = Bucket("tracking")

  private let store: AnyMetricStore?

  /// Creates a service that records.
  ///
  /// - Parameter store: The destination; `nil` for the store of `MetricManager`.
  public init(in store: AnyMetricStore? = nil) {
    self.store = store
  }

  /// Records the event; `MetricManager` counts losses.
  public func track(_ event: TrackingEvent) {
    Self.bucket.metric(event.name).record(event, in: store)
  }
}
