/// A problem that the user has seen: lists keep it, and the first line names others.
package struct Acknowledgement: Hashable, Sendable {
  /// The `bucket.name` that led it.
  package let metric: String
  /// Its start, in seconds since 2001.
  package let start: Double

  package init(metric: String, start: Double) { (self.metric, self.start) = (metric, start) }

  /// Seconds by which the start may move while more of an incident becomes known.
  private static let tolerance = 10.0

  /// True if a time is that of the start, as far as it was known.
  func isOf(_ time: Double) -> Bool { abs(time - start) <= Self.tolerance }
}
