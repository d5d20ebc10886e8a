import Aggregation
package import History
import JSONLines
package import Platform

/// Answers questions about the samples of many hosts, which a server keeps.
///
/// Its files are the hosts. Confined to one thread.
package final class ClickHouseSource: HistorySource {
  /// The sums of all times, until there are other samples.
  struct Everything {
    var sums = SeriesSums()
    var range: ClosedRange<Timestamp>?
    var density = TimeDensity()
    var hosts: [String] = []
    /// The time of the last sample of each host.
    var lastTimes: [String: Timestamp] = [:]
  }

  /// Seconds between looks for new samples.
  private static let interval = 2.0
  /// Looks may take one part in so many of the time.
  private static let share = 20.0

  private let makeReader: @Sendable (ServerReader.Interruption) throws(ServerProblem) -> ServerReader
  private let interruption: ServerReader.Interruption
  private var opened: ServerReader?
  let database: String
  private let now: () -> MonotonicInstant
  private var count: UInt64?
  private var nextLook = MonotonicInstant.distantPast
  private var everything: [String?: Everything] = [:]
  var onSorting: HistoryStore.Progress = { _, _ in true }
  var onGathering: HistoryStore.Progress = { _, _ in true }

  /// - Parameters:
  ///   - interruption: Ends an answer.
  ///   - makeReader: Makes a reader that an interruption ends.
  package init(
    of address: ServerAddress, interruption: ServerReader.Interruption,
    now: @escaping () -> MonotonicInstant = MonotonicInstant.now,
    _ makeReader: @escaping @Sendable (ServerReader.Interruption) throws(ServerProblem) -> ServerReader
  ) {
    (database, self.interruption) = (address.database, interruption)
    (self.now, self.makeReader) = (now, makeReader)
  }

  var reader: ServerReader {
    get throws(ServerProblem) {
      if let opened { return opened }
      let reader = try makeReader(interruption)
      opened = reader
      return reader
    }
  }

  package let lookInterval: Double? = ClickHouseSource.interval
  package let bytesToIndex: UInt64 = 0
  package func index(onProgress: @escaping HistoryStore.Progress) throws(IndexPass.Failure) {}
  package let hasUnchecked = false
  package func checkSome() -> String? { nil }
  package let files: [HistoryFile] = []
  package var problems: [String] { opened?.missing.map { [$0.words] } ?? [] }

  package func report(sorting: @escaping HistoryStore.Progress, gathering: @escaping HistoryStore.Progress) {
    (onSorting, onGathering) = (sorting, gathering)
  }

  package func refresh() -> Bool {
    let begin = now()
    guard begin >= nextLook else { return false }
    defer { nextLook = now() + max(Self.interval, (now() - begin) * Self.share) }
    let counts = try? reader.rows("SELECT count() FROM \(database).samples") {
      row throws(RowBinaryReader.Damage) in try row.word(UInt64.self)
    }
    guard let found = counts?.first, found != count else { return false }
    defer { count = found }
    everything = [:]
    return true
  }

  package func answer(
    _ query: HistoryQuery, onProgress: @escaping HistoryStore.Progress
  ) throws -> HistoryAnswer {
    try reader.begin()
    var answer = HistoryAnswer(query: query)
    let host = query.scope.host
    let all = try everything(of: host)
    (answer.files, answer.range, answer.density) = (all.hosts, all.range, all.density)
    let window = SampleTimes.range(query.window)
    answer.series = HistorySeries.list(of: all.sums, inside: try inside(query.window, all, host))
    if let focus = query.focus {
      answer.chart = try chart(of: focus, query, all)
      for pin in query.pins { answer.pins[pin] = try chart(of: pin, query.pinned(pin), all) }
      answer.summary = try summary(of: focus, in: window, query, all)
      if let selection = query.selection {
        answer.selection = try summary(of: focus, in: SampleTimes.range(selection), query, all)
      }
      let (page, anchor) = try page(of: focus, query, all)
      answer.page = page
      if query.wantsDetail, let anchor { answer.detail = try detail(of: focus, anchor, query, all) }
    }
    if let span = query.storeSpan { answer.store = try store(before: query.playhead, span: span, host) }
    if let histogram = query.histogram {
      answer.cube = try histogram.series.map { try cube(of: $0, histogram, host, all) }
    }
    if let hosts = query.hosts {
      let isPooled = query.focus != nil && query.narrowed == nil && query.scope == .all
      answer.hosts = try compareHosts(hosts, query, pooled: isPooled ? answer.chart : nil)
    }
    return answer
  }

  package func refined(_ answer: HistoryAnswer, while goesOn: () -> Bool) throws -> HistoryAnswer { answer }

  package func exportSources(in window: Range<Timestamp>, of scope: HostScope) throws -> [ExportSource] {
    let lines = try ServerLines(
      try makeReader(ServerReader.Interruption()), selection(scope.host, in: [SampleTimes.range(window)]))
    return [ExportSource(of: lines, in: [0..<UInt64.max])]
  }

  /// The sums of all times of a host, or of all hosts.
  func everything(of host: String?) throws -> Everything {
    if let known = everything[host] { return known }
    var all = Everything()
    all.sums = try sums(selection(host, in: [SampleTimes.all]), Contents(), withBins: false)
    for sum in all.sums.series.values where sum.cell.count > 0 {
      let (first, last) = (sum.cell.firstTime, sum.cell.lastTime)
      all.range = all.range.map { min($0.lowerBound, first)...max($0.upperBound, last) } ?? first...last
    }
    all.lastTimes = try lastTimes()
    all.hosts = all.lastTimes.keys.sortedByBytes()
    all.density = try density(host, over: all.range)
    everything[host] = all
    return all
  }

  func selection(
    _ host: String?, of series: SeriesIdentity? = nil, in times: [Range<Int64>]
  ) -> ServerSelection {
    ServerSelection(database: database, host: host, series: series, times: times)
  }
}
