import Essentials

/// Sends the averages of one version to a tracking service whenever payloads come; ready to be subscribed.
///
/// ```swift
/// let tracking = TrackingSubscriber(applicationVersion: "2.4", service: DogStatsDTracking(host: "127.0.0.1"))
/// recorder.manager.add(tracking)
/// ```
///
/// One event `metrics_received` for all payloads that come together, with `first_draw_avg` and `hang_time_avg` in
/// milliseconds, made as published articles do (``AverageMethod/published``) of the payloads of exactly that version.
/// An average that there is none of is left out; without any there is no event.
public final class TrackingSubscriber: PayloadSubscriber {
  private let applicationVersion: String
  private let includesSimulated: Bool
  private let service: any TrackingService

  /// A subscriber that sends averages.
  ///
  /// - Parameters:
  ///   - applicationVersion: The version of the running app.
  ///   - includingSimulated: Whether payloads that a simulation made count too.
  ///   - service: Where the events go.
  public init(
    applicationVersion: String, includingSimulated: Bool = false, service: any TrackingService
  ) {
    self.applicationVersion = applicationVersion
    self.includesSimulated = includingSimulated
    self.service = service
  }

  /// Sends the event of these payloads, if there is one.
  public func didReceive(_ payloads: [MetricPayload]) {
    let event = TrackingEvent(
      payloads, applicationVersion: applicationVersion, includingSimulated: includesSimulated)
    if let event { service.track(event) }
  }
}

extension TrackingEvent {
  /// The event of some payloads: the averages of exactly one version; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - payloads: Payloads of any version.
  ///   - applicationVersion: The version.
  ///   - includingSimulated: Whether payloads that a simulation made count too.
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
