package import Aggregation
package import Platform

/// When a figure was beyond a limit, told from the figure's course before a moment.
///
/// Pure: the same course gives the same excess, however long the program was open.
package struct LimitCourse {
  package let limit: MetricLimit
  /// Seconds between two looks at the figure.
  package let step: Double
  /// Seconds that are looked back on.
  package var reach: Double
  /// Looks at the figure at most.
  package var lookLimit = Self.longest
  /// The figure at a moment beside its bound; `nil` where there is none.
  package let look: (Timestamp) -> LimitLook?

  /// An hour second by second.
  package static let longest = 3600

  /// When the excess began that lasts at a moment; `nil` where none does, or not for long enough.
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

  /// True if an excess that lasted at one moment still lasts at a later one.
  package func lasts(from start: Timestamp, to edge: Timestamp) -> Bool {
    guard start < edge else { return start == edge }
    var course = self
    (course.reach, course.lookLimit) = (edge - start, Self.longest)
    let looks = course.looks(before: edge)
    // The look that was made at the start is not made again.
    return looks.last.map { $0.0 - start <= step } ?? false
  }

  /// The figures from the edge back to where no excess lasted, the newest first.
  ///
  /// All but the edge stand on whole multiples of the step, so that a later look finds the same ones.
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

/// An excess that lasted when it was looked for last.
package struct LastingExcess: Sendable, Equatable {
  package struct Key: Hashable, Sendable {
    package let limit: MetricLimit
    package let series: SeriesID
  }

  package let start: Timestamp
  package let seenAt: Timestamp
}
