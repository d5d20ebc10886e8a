package import Aggregation
import History

extension Model {
  /// Shows a screen as after some key presses, for frames without a user.
  ///
  /// - Parameter name: The screen's name on the command line, if the arrangement requests no other.
  /// - Returns: Effects with questions; their answers come as messages.
  package mutating func arrange(_ name: String, _ arrangement: Arrangement) -> [Effect] {
    var effects = doAtOnce(arrangement.request.map { open($0) } ?? show(name))
    session.arrangeCharts(arrangement)
    arrange(arrangement)
    if let filter = arrangement.filter { effects += tell(.edited(.filter, filter)) }
    if let sort = arrangement.sort { effects += tell(.sort(by: sort)) }
    return effects + updateAtOnce(&self, [])
  }

  /// The requested metric if the files do not have it; `nil` otherwise.
  package var unknownMetric: String? { front.unknownMetric }

  /// The number of metrics kept separately, as text, if there are more; empty otherwise.
  package var amongKept: String { session.amongKept }

  /// A requested field that does not exist, as a text that lists the existing ones; `nil` otherwise.
  package var unknownField: String? { front.unknownField }

  /// Names that the shown screen's rows can be sorted by.
  package var sortNames: [String] { front.sortNames }

  /// True if the filter matches a row of the shown screen.
  package var hasRows: Bool { front.hasRows }

  /// The series of the files, live ones before those of the history; may contain duplicates.
  package var series: [SeriesIdentity] {
    let live = session.store.allSeries.compactMap { session.store.identity(of: $0) }
    return live + (session.history.answer?.series.map(\.identity) ?? [])
  }

  /// The names of metrics that can be requested: with their buckets, then without.
  package var metricNames: [String] {
    let series = series
    return Set(series.map(\.metricName)).sorted() + Set(series.map(\.name)).sorted()
  }
}
