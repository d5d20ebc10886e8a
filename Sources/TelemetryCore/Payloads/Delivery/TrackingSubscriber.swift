import Essentials

/// Sends the averages of one version to a tracking service whenever payloads arrive; a ready-made subscriber.
///
/// ```swift
/// let tracking = TrackingSubscriber(applicationVersion: "2.4", service: DogStatsDTracking(host: "127.0.0.1"))
/// recorder.manager.add(tracking)
/// ```
///
/// Payloads that arrive together result in one event `metrics_received`, with `first_draw_avg` and `hang_time_avg` in
/// milliseconds, computed as in published articles (``AverageMethod/published``) from the payloads of exactly that
/// version. Missing averages are left out; without any there is no event.
public final class TrackingSubscriber: PayloadSubscriber {
  private let applicationVersion: String
  private let includesSimulated: Bool
  private let service: any TrackingService

  /// Creates a subscriber that sends averages.
  ///
  /// - Parameters:
  ///   - applicationVersion: The version of the running app.
  ///   - includingSimulated: True to include simulated payloads.
  ///   - service: The destination of the events.
  public init(
    applicationVersion: String, includingSimulated: Bool = false, service: any TrackingService
  ) {
    self.applicationVersion = applicationVersion
    self.includesSimulated = includingSimulated
    self.service = service
  }

  /// Sends the event for these payloads, if there is one.
  public func didReceive(_ payloads: [MetricPayload]) {
    let event = TrackingEvent(
      payloads, applicationVersion: applicationVersion, includingSimulated: includesSimulated)
    if let event { service.track(event) }
  }
}

extension TrackingEvent {
  /// The event for payloads: the averages of exactly one version; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - payloads: Payloads of any version.
  ///   - applicationVersion: The version.
  ///   - includingSimulated: True to include simulated payloads.
  public init?(
    _ payloads: [MetricPayload], applicationVersion: String, includingSimulated: Bool = false
  ) {
    func milliseconds<Metric: HistogrammedTimeMetric>(_ metric: KeyPath<MetricPayload, Metric?>) -> Double? {
      payloads.estimatedAverage(
        for: metric, applicationVersion: applicationVersion, method: .published,
        includingSimulated: includingSimulated)?.value
    }
    var averages: [String: Double] = [:]
    averages["first_draw_avg"] = milliseconds(\.applicationLaunchMetrics)
    averages["hang_time_avg"] = milliseconds(\.applicationResponsivenessMetrics)
    averages = averages.filter { $0.value.isFinite }
    guard !averages.isEmpty else { return nil }
    self.init(name: "metrics_received", attributes: averages, applicationVersion: applicationVersion)
  }
}
