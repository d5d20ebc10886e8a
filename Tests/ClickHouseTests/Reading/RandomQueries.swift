import Aggregation
import History
import Platform
import TestSupport

/// Questions about a history, as a user might ask them one after the other.
struct RandomQueries {
  private let series: [HistorySeries]
  private let hosts: [String]
  private let range: ClosedRange<Timestamp>
  private var random: SeededGenerator
  /// A row of an earlier answer, as the server places it and as the files do.
  private var lastPlace: (server: SamplePlace, files: SamplePlace)?

  init(_ whole: HistoryAnswer, seed: UInt64) {
    (series, hosts) = (whole.series, whole.files)
    range = whole.range ?? Timestamp(0)...Timestamp(1)
    random = SeededGenerator(seed: seed)
  }

  /// The next one for the server and for the files; a row of the last answers may be its anchor.
  mutating func next(
    after last: (server: HistoryAnswer, files: HistoryAnswer)?
  ) -> (server: HistoryQuery, files: HistoryQuery) {
    if let last, last.server.query.scope == .all,
      let rows = Array(zip(last.server.page.rows, last.files.page.rows)).randomElement(using: &random)
    {
      lastPlace = (rows.0.place, rows.1.place)
    }
    let query = next()
    var other = query
    other.scope = .all
    if case .sample(_, let offset) = query.page.anchor, let lastPlace {
      let file = query.scope == .all ? lastPlace.files.file : 0
      let place = SamplePlace(file: file, offset: lastPlace.files.offset, time: lastPlace.files.time)
      other.page.anchor = .sample(place, offset: offset)
    }
    return (query, other)
  }

  private mutating func next() -> HistoryQuery {
    let focus = series.randomElement(using: &random)
    let window = window()
    var query = HistoryQuery(
      window: window, columns: chance(6) ? 0 : Int(random.next() % 180) + 1, playhead: moment())
    if chance(8) == false { query.focus = focus?.identity }
    if chance(3), let value = focus?.values.randomElement(using: &random) { query.narrowed = value.text }
    if chance(4) { query.pins = (0..<2).compactMap { _ in series.randomElement(using: &random)?.identity } }
    query.page = page()
    query.wantsDetail = chance(2)
    if chance(4) { query.storeSpan = Double(random.next() % 400) }
    if chance(4) { query.selection = self.window() }
    if chance(5) { query.filter = filter(focus) }
    if chance(8), let focus {
      var histogram = HistogramQuery(series: focus.identity, isOfTexts: !focus.values.isEmpty)
      if chance(2) { histogram.window = self.window() }
      query.histogram = histogram
    }
    if chance(6), let host = hosts.randomElement(using: &random) {
      query.scope = .host(host)
      // A place of another host has no meaning among the rows of one.
      if case .sample(let place, _) = query.page.anchor, hosts[place.file] != host {
        query.page.anchor = .playhead
      }
    }
    if chance(6), query.scope == .all { query.hosts = HostsQuery(limit: 50, cells: 0..<50) }
    return query
  }

  private mutating func chance(_ parts: UInt64) -> Bool { random.next() % parts == 0 }

  private mutating func moment() -> Timestamp {
    let length = range.upperBound - range.lowerBound
    let moment = range.lowerBound + .random(in: -0.05 * length...1.05 * length, using: &random)
    return chance(4) ? Timestamp(moment.seconds.rounded()) : moment
  }

  private mutating func window() -> Range<Timestamp> {
    if chance(6) { return range.lowerBound..<range.upperBound.nextUp }
    if chance(12) { return .allTime }
    let (start, scale) = (moment(), Double.random(in: -2...4.2, using: &random))
    // Seconds, from a hundredth to longer than all samples.
    let length = [1, 10, 100, 1000, 10_000, 0.1, 0.01][Int(random.next() % 7)] * max(0.2, scale)
    return start..<start + length
  }

  private mutating func page() -> HistoryPageQuery {
    let order: HistoryPageQuery.Order = chance(2) ? .time : .value(descending: chance(2))
    var anchor = HistoryPageQuery.Anchor.playhead
    if chance(3) { anchor = .row(Int(random.next() % 3000)) }
    if chance(3), let lastPlace { anchor = .sample(lastPlace.server, offset: Int(random.next() % 60) - 30) }
    return HistoryPageQuery(
      order: order, anchor: anchor, before: Int(random.next() % 20), after: Int(random.next() % 40))
  }

  private mutating func filter(_ focus: HistorySeries?) -> SampleFilter {
    var filter = SampleFilter()
    if chance(2) {
      let low = Double.random(in: -5...5, using: &random)
      filter.values = low..<low + .random(in: 0...20, using: &random)
    }
    if chance(3), let host = hosts.randomElement(using: &random) {
      filter.labels[SampleCube.fileDimension] = .value(host)
    }
    if chance(3) { filter.labels["route"] = chance(4) ? .missing : .value("/a") }
    if chance(4) { filter.labels["cold"] = .value(chance(2) ? "true" : "false") }
    return filter
  }
}
