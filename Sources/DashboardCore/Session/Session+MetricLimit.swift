import Aggregation
import Codecs
import History

extension Session {
  /// How many metrics are kept apart, where there are more than that; `nil` where all are.
  package var metricLimit: Int? {
    if store.sharedSeries > 0 { return store.limits.series }
    let sharesRow = history.answer?.series.contains { $0.identity == .overflow } ?? false
    return sharesRow ? SeriesTable.limit : nil
  }

  /// Ends the sentence about a metric that was not found: of very many it may be in the files all the same.
  package var amongKept: String {
    metricLimit.map { " among the \(NumberFormat.count($0)) that are kept apart" } ?? ""
  }
}
