package import Aggregation
package import Platform

/// Excesses of a limit, computed from the figure's past values.
///
/// Pure: the same values give the same excess, however long the program has been open.
package struct LimitCourse {
  package let limit: MetricLimit
  /// Seconds between two evaluations of the figure.
  package let step: Double
  /// Seconds of the past to consider.
  package var reach: Double
  /// Maximum evaluations of the figure.
  package var lookLimit = Self.longest
  /// The figure at a time, compared with its bound; `nil` without one.
  package let look: (Timestamp) -> LimitLook?

  /// One hour of evaluations, one per second.
  package static let longest = 3600

  /// The start of the excess that is in progress at a time; `nil` if there is none, or if it has not lasted long
  /// enough.
  package func start(ofExcessAt edge: Timestamp) -> Timestamp? {
    let looks = looks(before: edge)
    var begin: Timestamp?
    var isExcess = false
    for (moment, look) in looks.reversed() where !isExcess {
      begin = look.isBeyond ? begin ?? moment : nil
      if let begin, moment - begin >= limit.duration { isExcess = true }
    }
    return isExcess ? begin : nil
  }

  /// True if an excess in progress at one time is still in progress at a later one.
  package func lasts(from start: Timestamp, to edge: Timestamp) -> Bool {
    guard start < edge else { return start == edge }
    var course = self
    (course.reach, course.lookLimit) = (edge - start, Self.longest)
    let looks = course.looks(before: edge)
    // The figure is not evaluated again at the start.
    return looks.last.map { $0.0 - start <= step } ?? false
  }

  /// The figures from the edge back to the last one without an excess, newest first.
  ///
  /// All times but the edge are multiples of the step, so that a later evaluation finds the same ones.
  private func looks(before edge: Timestamp) -> [(Timestamp, LimitLook)] {
    var looks: [(Timestamp, LimitLook)] = []
    var moment = edge
    while looks.count < lookLimit, edge - moment <= reach {
      guard let look = look(moment), look.isKept || look.isBeyond else { break }
      looks.append((moment, look))
      let below = moment.rounded(.down, toMultipleOf: step)
      moment = below < moment ? below : moment - step
    }
    return looks
  }
}

/// An excess that was in progress at the last evaluation.
package struct LastingExcess: Sendable, Equatable {
  package struct Key: Hashable, Sendable {
    package let limit: MetricLimit
    package let series: SeriesID
  }

  package let start: Timestamp
  package let seenAt: Timestamp
}
