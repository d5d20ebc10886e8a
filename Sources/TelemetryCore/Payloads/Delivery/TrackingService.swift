/// Receives events for remote monitoring of an app.
///
/// Two implementations exist: ``StoreTracking`` and ``DogStatsDTracking``.
public protocol TrackingService: Sendable {
  /// Receives an event and returns immediately; its fate is up to the service.
  func track(_ event: TrackingEvent)
}

/// An event with figures: what ``TrackingSubscriber`` sends.
public struct TrackingEvent: Codable, Hashable, Sendable {
  /// The name of the event, such as `metrics_received`.
  public let name: String
  /// Figures by name: `first_draw_avg` and `hang_time_avg`, in milliseconds.
  public let attributes: [String: Double]
  /// The app version that the figures describe.
  public let applicationVersion: String

  /// An event.
  public init(name: String, attributes: [String: Double], applicationVersion: String) {
    self.name = name
    self.attributes = attributes
    self.applicationVersion = applicationVersion
  }
}
