/// The limits exceeded as of the last check, so that each excess rings once.
package struct FiringLimits: Sendable {
  /// One limit of one metric.
  package struct Key: Hashable {
    package let limit: MetricLimit
    package let metric: String
  }

  /// The basis of the figures: a different window yields different figures, which are no news.
  package struct Basis: Hashable {
    package let window: Double
    package let limits: LimitSet
  }

  package var basis: Basis?
  /// Each lasting excess with its worst value so far.
  package var lasting: [Key: ChangeEvent] = [:]

  /// Maximum number of commands started at once: a pattern may match thousands of metrics.
  package static let commandLimit = 5
}
