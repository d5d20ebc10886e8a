/// Which limits were exceeded when that was looked at last, so that each excess rings once.
package struct FiringLimits: Sendable {
  /// One limit of one metric.
  package struct Key: Hashable {
    package let limit: MetricLimit
    package let metric: String
  }

  /// The basis of the figures: another window has other figures, which is no news.
  package struct Basis: Hashable {
    package let window: Double
    package let limits: LimitSet
  }

  package var basis: Basis?
  /// Each with its worst value so far.
  package var lasting: [Key: ChangeEvent] = [:]

  /// Commands that begin at once at most: a pattern may stand for thousands of metrics.
  package static let commandLimit = 5
}
