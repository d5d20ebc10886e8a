package import Aggregation
import History

extension Model {
  /// Shows a screen as it would be after some keys: for frames without a person.
  ///
  /// - Parameter name: the screen, as on the command line, where the arrangement asks for nothing else.
  /// - Returns: what is to be asked; the answers come as messages.
  package mutating func arrange(_ name: String, _ arrangement: Arrangement) -> [Effect] {
    var effects = doAtOnce(arrangement.request.map { open($0) } ?? show(name))
    session.arrangeCharts(arrangement)
    arrange(arrangement)
    if let filter = arrangement.filter { effects += tell(.edited(.filter, filter)) }
    if let sort = arrangement.sort { effects += tell(.sort(by: sort)) }
    return effects + updateAtOnce(&self, [])
  }

  /// The metric that was asked for and that the files do not have; `nil` where there is none such.
  package var unknownMetric: String? { front.unknownMetric }

  /// How many metrics are kept apart, in words, where there are more; empty where all are.
  package var amongKept: String { session.amongKept }

  /// A field that was asked for and that is not there, in words that list what is; `nil` where there is none such.
  package var unknownField: String? { front.unknownField }

  /// Names the rows of the shown screen can be sorted by.
  package var sortNames: [String] { front.sortNames }

  /// True if the filter lets a row of the shown screen through.
  package var hasRows: Bool { front.hasRows }

  /// The series of the files, those of the live end before those of the history, which may be the same.
  package var series: [SeriesIdentity] {
    let live = session.store.allSeries.compactMap { session.store.identity(of: $0) }
    return live + (session.history.answer?.series.map(\.identity) ?? [])
  }

  /// The names by which a metric can be asked for: with their buckets, then without.
  package var metricNames: [String] {
    let series = series
    return Set(series.map(\.metricName)).sorted() + Set(series.map(\.name)).sorted()
  }
}
