/// Takes payloads as they come; the counterpart of `MXMetricManagerSubscriber`.
///
/// ``PayloadManager`` holds its subscribers weakly and calls them on a thread of its choice, one call at a time.
public protocol PayloadSubscriber: AnyObject, Sendable {
  /// All metric payloads that waited, in one call, the oldest first.
  func didReceive(_ payloads: [MetricPayload])
  /// Diagnostics, soon after what they tell of.
  func didReceive(_ payloads: [DiagnosticPayload])
}

extension PayloadSubscriber {
  /// No metrics for a receiver that does not ask for them.
  public func didReceive(_ payloads: [MetricPayload]) {}
  /// No diagnostics for a receiver that does not ask for them.
  public func didReceive(_ payloads: [DiagnosticPayload]) {}
}
