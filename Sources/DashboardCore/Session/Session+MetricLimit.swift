import Aggregation
import Codecs
import History

extension Session {
  /// The number of metrics kept separately, if there are more than that; `nil` if all are.
  package var metricLimit: Int? {
    if store.sharedSeries > 0 { return store.limits.series }
    let sharesRow = history.answer?.series.contains { $0.identity == .overflow } ?? false
    return sharesRow ? SeriesTable.limit : nil
  }

  /// Ends the sentence about a metric that was not found: beyond the limit it may still be in the files.
  package var amongKept: String {
    metricLimit.map { " among the \(NumberFormat.count($0)) that are kept apart" } ?? ""
  }
}
