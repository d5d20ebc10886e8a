/// Which limits were exceeded when that was looked at last, so that each excess rings once.
struct FiringLimits: Sendable {
  /// One limit of one metric.
  struct Key: Hashable {
    let limit: MetricLimit
    let metric: String
  }

  /// The basis of the figures: another window has other figures, which is no news.
  struct Basis: Hashable {
    let window: Double
    let limits: LimitSet
  }

  var basis: Basis?
  /// Each with its worst value so far.
  var lasting: [Key: ChangeEvent] = [:]

  /// Commands that begin at once at most: a pattern may stand for thousands of metrics.
  static let commandLimit = 5
}
