import Aggregation

extension Model {
  /// When something on the screen changes by itself, on the wall clock; `nil` when nothing will.
  ///
  /// The program sleeps until then: a quiet file whose windows are all empty costs nothing.
  package var nextChange: Double? {
    var moments: [Double] = []
    if let toast { moments.append(toast.until) }
    if live.content.survey.recorded != shown.store.recorded {
      moments.append(live.content.survey.madeAt + Model.surveyInterval)
    }
    if let stale = staleAnswerDeadline { moments.append(stale) }
    if let stale = staleStatsDeadline { moments.append(stale) }
    if let stale = staleRowsDeadline { moments.append(stale) }
    if let stale = staleFocusDeadline { moments.append(stale) }
    if let change = syncDeadline { moments.append(change) }
    if let change = overviewDeadline { moments.append(change) }
    if playhead == .live, let newest = live.content.newest, now - newest <= live.window {
      let step = live.quantum
      moments.append(((now / step).rounded(.down) + 1) * step)
      if let shrink = live.axis.deadline { moments.append(shrink) }
    }
    return moments.min()
  }
}
