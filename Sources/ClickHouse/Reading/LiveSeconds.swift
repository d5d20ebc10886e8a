package import Aggregation
import History
package import Platform

/// The newest samples of all hosts by series and second.
///
/// Samples become visible some time after their stamp. So the last seconds are asked for again each time, and replace
/// what was known of them: nothing is missed, and nothing counts twice.
///
/// Confined to one thread.
package final class LiveSeconds {
  /// Seconds that may still change.
  private static let open = 10.0
  /// Seconds that are read first.
  private static let first = 600.0
  /// Seconds that clocks of hosts may be ahead.
  private static let ahead = 60.0

  private let database: String
  private let makeReader: () throws(ServerProblem) -> ServerReader
  private var reader: ServerReader?
  private var settled = SeriesStore()
  /// The first second that is not settled, in seconds since 2001.
  private var end: Int64?

  package init(
    of address: ServerAddress, _ makeReader: @escaping () throws(ServerProblem) -> ServerReader
  ) {
    (database, self.makeReader) = (address.database, makeReader)
  }

  /// Everything up to now.
  ///
  /// - Throws: ``ServerProblem``; what was known stays.
  package func poll(at now: Timestamp) throws -> SeriesStore {
    let reader = try self.reader ?? makeReader()
    self.reader = reader
    let start = end ?? Int64(now.seconds.clamped - Self.first)
    let closed = max(start, Int64(now.seconds.clamped - Self.open))
    let slots = start..<max(start + 1, Int64(now.seconds.clamped + Self.ahead))
    let parts = try parts(of: slots, reader)
    // Series keep their numbers, so all are numbered in what stays.
    for (key, cell, _) in parts { _ = settled.series(for: key.series, at: cell.lastTime.seconds) }
    for (key, cell, texts) in parts where key.step < closed { settled.take(cell, texts, of: key.series) }
    end = closed
    var store = settled
    for (key, cell, texts) in parts where key.step >= closed { store.take(cell, texts, of: key.series) }
    return store
  }

  private typealias Part = (key: SeriesRows.Key, cell: IndexCell, texts: TextTable)

  private func parts(of slots: Range<Int64>, _ reader: ServerReader) throws -> [Part] {
    let times =
      SampleTimes.start(
        ofSlot: slots.lowerBound, seconds: 1)..<SampleTimes.start(
        ofSlot: slots.upperBound, seconds: 1)
    let selection = ServerSelection(database: database, times: [times], rollup: .seconds)
    let statements = SeriesStatements(selection: selection, step: SampleTimes.second)
    let (sums, bins) = (try reader.ask(statements.sums(slots)), try reader.ask(statements.bins(slots)))
    let (labels, others) = (try reader.ask(statements.labels), try reader.ask(statements.others))
    let rows = try reader.read { () throws(RowBinaryReader.Damage) in
      var rows = SeriesRows(of: nil, coarseness: UInt8(Rollup.seconds.shift - SeriesRows.finestShift))
      try rows.addNumbers(sums, haveBins: false)
      try rows.addBins(bins)
      _ = try rows.addWords(labels, areLabels: true)
      _ = try rows.addWords(others, areLabels: false)
      return rows
    }
    var parts: [Part] = []
    rows.forEach { parts.append(($0, $1, $2)) }
    return parts.sorted {
      ($0.key.step, $0.cell.firstTime, $0.key.series.label) < (
        $1.key.step, $1.cell.firstTime, $1.key.series.label
      )
    }
  }
}

extension Double {
  /// Within the seconds that times can have.
  fileprivate var clamped: Double { self > 0 ? min(self, 4e9) : 0 }
}
