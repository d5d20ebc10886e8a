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
  /// Who does not ask for metrics gets none.
  public func didReceive(_ payloads: [MetricPayload]) {}
  /// Who does not ask for diagnostics gets none.
  public func didReceive(_ payloads: [DiagnosticPayload]) {}
}
