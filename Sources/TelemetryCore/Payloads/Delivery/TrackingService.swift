/// Takes events for people who watch an app from afar.
///
/// Two are ready: ``StoreTracking`` and ``DogStatsDTracking``.
public protocol TrackingService: Sendable {
  /// Takes an event and returns at once; what becomes of it is the service's own affair.
  func track(_ event: TrackingEvent)
}

/// Something that happened, with figures: what ``TrackingSubscriber`` sends.
public struct TrackingEvent: Codable, Hashable, Sendable {
  /// The event: `metrics_received`.
  public let name: String
  /// Figures by their names: `first_draw_avg` and `hang_time_avg`, in milliseconds.
  public let attributes: [String: Double]
  /// The version of the app that the figures are of.
  public let applicationVersion: String

  /// An event.
  public init(name: String, attributes: [String: Double], applicationVersion: String) {
    self.name = name
    self.attributes = attributes
    self.applicationVersion = applicationVersion
  }
}
