/// A problem that the user has acknowledged: lists keep it, the first line does not.
package struct Acknowledgement: Hashable, Sendable {
  /// The `bucket.name` of the metric that headed it.
  package let metric: String
  /// Its start, in seconds since 2001.
  package let start: Double

  package init(metric: String, start: Double) { (self.metric, self.start) = (metric, start) }

  /// Seconds by which the start may move while more of an incident becomes known.
  private static let tolerance = 10.0

  /// True if a time is close enough to be the same start.
  func isOf(_ time: Double) -> Bool { abs(time - start) <= Self.tolerance }
}
