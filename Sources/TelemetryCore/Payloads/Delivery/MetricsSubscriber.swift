public import Essentials

/// Logs each payload with structured context; ready to be subscribed.
///
/// ```swift
/// let subscriber = MetricsSubscriber()  // kept: managers hold subscribers weakly
/// recorder.manager.add(subscriber)
/// ```
///
/// A line has the number of hours that the payload covers, the version of the app, name, category and count of each signpost
/// metric, whether there are launches and hangs, and how many crashes. Metric payloads that mix versions are left out:
/// their figures belong to no version. Each diagnostic names its own version, so all of them are logged.
public final class MetricsSubscriber: PayloadSubscriber {
  private let timeZone: TimeZone
  private let log: @Sendable (PayloadSummary) -> Void

  /// A subscriber that logs.
  ///
  /// - Parameters:
  ///   - timeZone: The zone of the device, for payloads that write local times without a zone.
  ///   - log: Takes the context of each payload; by default the unified log, or standard error where there is none.
  public init(
    timeZone: TimeZone = .current, log: @escaping @Sendable (PayloadSummary) -> Void = PayloadLog.system
  ) {
    self.timeZone = timeZone
    self.log = log
  }

  /// Logs the payloads, but for those that mix versions.
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
