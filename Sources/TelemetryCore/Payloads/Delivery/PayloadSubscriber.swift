/// Receives payloads as they are delivered; the counterpart of `MXMetricManagerSubscriber`.
///
/// ``PayloadManager`` holds its subscribers weakly and calls them on a background thread, one call at a time.
public protocol PayloadSubscriber: AnyObject, Sendable {
  /// Receives all waiting metric payloads in one call, oldest first.
  func didReceive(_ payloads: [MetricPayload])
  /// Receives diagnostics soon after the events they describe.
  func didReceive(_ payloads: [DiagnosticPayload])
}

extension PayloadSubscriber {
  /// Ignores metric payloads by default.
  public func didReceive(_ payloads: [MetricPayload]) {}
  /// Ignores diagnostics by default.
  public func didReceive(_ payloads: [DiagnosticPayload]) {}
}
