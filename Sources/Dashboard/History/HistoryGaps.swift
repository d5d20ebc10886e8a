import History

/// Finds the stretches of a chart without samples that are much longer than usual.
struct HistoryGaps {
  let chart: HistoryChart

  /// In seconds since 2001, in the order of time.
  var found: [ClosedRange<Double>] {
    let columns = chart.columns.compactMap { $0 }
    let breaks = zip(columns, columns.dropFirst()).compactMap { before, after in
      after.firstTime > before.lastTime ? before.lastTime...after.firstTime : nil
    }
    guard breaks.count > 1 else { return [] }
    var usual = breaks.map { $0.upperBound - $0.lowerBound }
    usual += columns.filter { $0.count > 1 }.map { ($0.lastTime - $0.firstTime) / Double($0.count - 1) }
    usual.sort()
    let least = max(4 * usual[usual.count / 2], 2.5 * chart.step)
    return breaks.filter { $0.upperBound - $0.lowerBound > least }
  }
}
