public import Essentials

/// Logs each payload with structured context; a ready-made subscriber.
///
/// ```swift
/// let subscriber = MetricsSubscriber()  // kept: managers hold subscribers weakly
/// recorder.manager.add(subscriber)
/// ```
///
/// A line has the hours that the payload covers, the app version, the name, category and count of each signpost
/// metric, whether there are launches and hangs, and the number of crashes. Metric payloads that mix versions are
/// left out, because their figures belong to no single version. Diagnostics name their own version, so all of them
/// are logged.
public final class MetricsSubscriber: PayloadSubscriber {
  private let timeZone: TimeZone
  private let log: @Sendable (PayloadSummary) -> Void

  /// Creates a subscriber that logs.
  ///
  /// - Parameters:
  ///   - timeZone: The device's time zone, for payloads whose local times have no zone.
  ///   - log: Receives the context of each payload; by default the unified log, or standard error where there is none.
  public init(
    timeZone: TimeZone = .current, log: @escaping @Sendable (PayloadSummary) -> Void = PayloadLog.system
  ) {
    self.timeZone = timeZone
    self.log = log
  }

  /// Logs the payloads, except those that mix versions.
  public func didReceive(_ payloads: [MetricPayload]) {
    for payload in payloads where !payload.includesMultipleApplicationVersions {
      log(PayloadSummary(payload, in: timeZone))
    }
  }

  /// Logs the payloads.
  public func didReceive(_ payloads: [DiagnosticPayload]) {
    for payload in payloads { log(PayloadSummary(payload, in: timeZone)) }
  }
}
