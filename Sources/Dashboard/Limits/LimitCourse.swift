import Platform

/// When a figure was beyond a limit, told from the figure's course before a moment.
///
/// Pure: the same course gives the same excess, however long the program was open.
struct LimitCourse {
  let limit: MetricLimit
  /// Seconds between two looks at the figure.
  let step: Double
  /// Seconds that are looked back on.
  let reach: Double
  /// The figure at a moment; `nil` where there is none.
  let figure: (Timestamp) -> Double?

  /// Looks at the figure at most, so that one limit never holds up the screen.
  static let lookLimit = 600

  /// When the excess began that lasts at a moment; `nil` where none does, or not for long enough.
  func start(ofExcessAt edge: Timestamp) -> Timestamp? {
    let looks = looks(before: edge)
    var begin: Timestamp?
    var isExcess = false
    for (moment, value) in looks.reversed() where !isExcess {
      begin = limit.isBeyond(value) ? begin ?? moment : nil
      if let begin, moment - begin >= limit.duration { isExcess = true }
    }
    return isExcess ? begin : nil
  }

  /// The figures from the edge back to where no excess lasted, the newest first.
  ///
  /// All but the edge stand on whole multiples of the step, so that a later look finds the same ones.
  private func looks(before edge: Timestamp) -> [(Timestamp, Double)] {
    var looks: [(Timestamp, Double)] = []
    var moment = edge
    while looks.count < Self.lookLimit, edge - moment <= reach {
      guard let value = figure(moment), limit.isKept(by: value) || limit.isBeyond(value) else { break }
      looks.append((moment, value))
      let below = moment.rounded(.down, toMultipleOf: step)
      moment = below < moment ? below : moment - step
    }
    return looks
  }
}
