import History
import Platform

/// Finds periods in a chart without samples that are much longer than usual.
struct HistoryGaps {
  let chart: HistoryChart

  /// More holes than this mean that samples arrive in bursts: only a hole longer than those is then a gap.
  private static let fewHoles = 4

  /// In time order.
  var found: [ClosedRange<Timestamp>] {
    let columns = chart.columns.compactMap { $0 }
    let breaks = zip(columns, columns.dropFirst()).compactMap { before, after in
      after.firstTime > before.lastTime ? before.lastTime...after.firstTime : nil
    }
    let least = max(8 * usualInterval(columns, breaks), 3 * chart.step)
    let half = Double(chart.columns.count) * chart.step / 2
    // A hole of most of the window is a gap, however rare samples are.
    let holes = breaks.filter { length(of: $0) > min(least, max(half, 3 * chart.step)) }
    guard holes.count > Self.fewHoles else { return holes }
    let rhythm = holes.map(length).sorted()[holes.count / 2]
    return holes.filter { length(of: $0) > 3 * rhythm }
  }

  private func length(of range: ClosedRange<Timestamp>) -> Double { range.upperBound - range.lowerBound }

  /// The median interval between consecutive samples, in seconds.
  private func usualInterval(_ columns: [HistoryColumn], _ breaks: [ClosedRange<Timestamp>]) -> Double {
    var intervals = breaks.map { (length: length(of: $0), count: 1.0) }
    for column in columns where column.count > 1 {
      let count = Double(column.count) - 1
      intervals.append(((column.lastTime - column.firstTime) / count, count))
    }
    intervals.sort { $0.length < $1.length }
    var rest = intervals.reduce(0) { $0 + $1.count } / 2
    for interval in intervals {
      rest -= interval.count
      if rest <= 0 { return interval.length }
    }
    return 0
  }
}
