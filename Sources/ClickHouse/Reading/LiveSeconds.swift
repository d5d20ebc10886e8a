package import Aggregation
import History
package import Platform

/// The newest samples of all hosts, or their sums by series and second if they are many.
///
/// Samples become visible some time after their stamp. So the last seconds are asked for again each time, and replace
/// what was known of them: nothing is missed, and nothing counts twice.
///
/// Confined to one thread.
package final class LiveSeconds {
  /// Seconds before now that are asked for every time.
  private static let newest = 10.0
  /// Seconds before now that are asked for now and then, because hosts may be late.
  private static let late = 120.0
  private static let pollsBetweenLate = 20
  /// Samples of one question; of more, the sums.
  private static let sampleLimit = 3000
  /// Seconds that are read first.
  private static let first = 600.0
  /// Seconds that clocks of hosts may be ahead.
  private static let ahead = 60.0

  private let database: String
  private let host: String?
  private let makeReader: () throws(ServerProblem) -> ServerReader
  private var reader: ServerReader?
  private var polls = 0
  /// True if the samples were too many, of late.
  private var areMany = false
  private var settled = SeriesStore()
  /// The first second that is not settled, in seconds since 2001.
  private var end: Int64?
  /// The seconds after it, and the first of those that are asked for every time.
  private var older: [Part] = []
  private var start: Int64 = 0

  /// - Parameter host: The only host; `nil` for all.
  package init(
    of address: ServerAddress, host: String? = nil,
    _ makeReader: @escaping () throws(ServerProblem) -> ServerReader
  ) {
    (database, self.host, self.makeReader) = (address.database, host, makeReader)
  }

  /// Everything up to now.
  ///
  /// - Returns: with the failure to reach a shard, if its samples are missing.
  /// - Throws: ``ServerProblem``; what was known stays.
  package func poll(at now: Timestamp) throws -> (store: SeriesStore, missing: ServerProblem?) {
    let reader = try self.reader ?? makeReader()
    self.reader = reader
    reader.missing = nil
    if end == nil || polls % Self.pollsBetweenLate == 0 { try askForLate(at: now, reader) }
    let parts = try parts(of: start..<max(start + 1, Self.second(now.seconds + Self.ahead)), reader)
    polls += 1
    // Series keep their numbers, so all are numbered in what stays.
    var store = settled
    for part in older + parts { part.record(into: &store) }
    for id in store.allSeries.dropFirst(settled.count) {
      guard let identity = store.identity(of: id) else { continue }
      _ = settled.series(for: identity, at: store.tally(of: id).lastTime)
    }
    return (store, reader.missing)
  }

  private func askForLate(at now: Timestamp, _ reader: ServerReader) throws {
    let first = end ?? Self.second(now.seconds - Self.first)
    let settles = max(first, Self.second(now.seconds - Self.late))
    let next = max(settles, Self.second(now.seconds - Self.newest))
    let parts = try parts(of: first..<max(first + 1, next), reader)
    for part in parts where part.second < settles { part.record(into: &settled) }
    older = parts.filter { (settles..<next).contains($0.second) }
    (end, start) = (settles, next)
  }

  /// The second of a time, within those that times can have.
  private static func second(_ seconds: Double) -> Int64 { seconds > 0 ? Int64(min(seconds, 4e9)) : 0 }

  /// The samples of a second, or the sums of a series in it.
  private enum Part {
    case samples(StoredSamples, second: Int64)
    case sums(SeriesRows.Key, IndexCell, TextTable)

    var second: Int64 {
      switch self {
      case .samples(_, let second): second
      case .sums(let key, _, _): key.step
      }
    }

    func record(into store: inout SeriesStore) {
      switch self {
      case .samples(let samples, _):
        var fold = SampleFold()
        fold.fold(samples.batch, samples.catalogue, into: &store)
      case .sums(let key, let cell, let texts): store.take(cell, texts, of: key.series)
      }
    }
  }

  private func parts(of slots: Range<Int64>, _ reader: ServerReader) throws -> [Part] {
    let start = SampleTimes.start(ofSlot: slots.lowerBound, seconds: 1)
    let times = start..<SampleTimes.start(ofSlot: slots.upperBound, seconds: 1)
    if !areMany || polls % Self.pollsBetweenLate == 0 {
      let selection = ServerSelection(database: database, host: host, times: [times])
      let rows = try reader.rows(PageStatements.all(selection, limit: Self.sampleLimit + 1)) {
        row throws(RowBinaryReader.Damage) in try StoredSample(&row)
      }
      areMany = rows.count > Self.sampleLimit
      if !areMany {
        let seconds = Dictionary(grouping: rows) { Self.second($0.time.seconds) }
        return seconds.sorted { $0.key < $1.key }.map { .samples(StoredSamples($0.value), second: $0.key) }
      }
    }
    return try sums(of: slots, times, reader)
  }

  private func sums(
    of slots: Range<Int64>, _ times: Range<Int64>, _ reader: ServerReader
  ) throws -> [Part] {
    let selection = ServerSelection(database: database, host: host, times: [times], rollup: .seconds)
    let statements = SeriesStatements(selection: selection, step: SampleTimes.second)
    // The sums of seconds do not tell hosts apart.
    let numbers = try host.map { _ in try reader.ask(statements.numbers(shift: Rollup.seconds.shift)) }
    let sums = try numbers ?? reader.ask(statements.sums(slots))
    let bins = try numbers == nil ? reader.ask(statements.bins(slots)) : []
    let words = try reader.ask(host == nil ? statements.words(slots) : statements.words)
    let rows = try reader.read { () throws(RowBinaryReader.Damage) in
      var rows = SeriesRows(of: nil, coarseness: UInt8(Rollup.seconds.shift - SeriesRows.finestShift))
      try rows.addNumbers(sums, haveBins: numbers != nil)
      try rows.addBins(bins)
      _ = try rows.addWords(words)
      return rows
    }
    var cells: [(key: SeriesRows.Key, cell: IndexCell, texts: TextTable)] = []
    rows.forEach { cells.append(($0, $1, $2)) }
    return cells.sorted {
      ($0.key.step, $0.cell.firstTime, $0.key.series.label)
        < ($1.key.step, $1.cell.firstTime, $1.key.series.label)
    }.map { .sums($0.key, $0.cell, $0.texts) }
  }
}
