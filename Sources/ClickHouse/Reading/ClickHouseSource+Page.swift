import Aggregation
import History
import JSONLines
import Platform

// Single samples: the table, and all of a time.
extension ClickHouseSource {
  /// Maximum samples of a store.
  private static let storeLimit = 100_000
  /// Maximum samples of a cube; of more, it has one in several.
  private static let cubeLimit = 200_000

  /// The page, and the sample at its anchor.
  func page(
    of focus: SeriesIdentity, _ query: HistoryQuery, _ all: Everything
  ) throws -> (HistoryPage, anchor: StoredSample?) {
    guard query.page.before + query.page.after > 0, !query.window.isEmpty else { return (HistoryPage(), nil) }
    let statements = PageStatements(
      selection: selection(query.scope.host, of: focus, in: [SampleTimes.range(query.window)]), focus: focus,
      narrowed: query.narrowed, filter: query.filter)
    let rows = try TableRows(
      reader: reader, statements: statements, order: query.page.order,
      times: Self.times(of: all.sums[focus].cell))
    let place = place(of: query.page.anchor, query, all)
    let (total, before) = try counts(of: focus, statements, rows, place, query, all)
    var page = HistoryPage()
    page.total = total
    guard total > 0 else { return (page, nil) }
    let anchor = max(0, min(total - 1, Self.row(of: query.page, before: before)))
    page.first = max(0, anchor - min(HistoryStore.pageLimit, max(0, query.page.before)))
    let end = min(total, anchor + min(HistoryStore.pageLimit, max(1, query.page.after)))
    let samples = StoredSamples(try rows.rows(page.first..<end, of: total, place, before: before))
    samples.forEach { sample, row, _ in
      page.rows.append(Self.row(sample, of: samples, row, focus, all))
    }
    page.anchor = page.rows.isEmpty ? nil : min(page.rows.count - 1, anchor - page.first)
    return (page, page.anchor.flatMap { samples.rows.indices.contains($0) ? samples.rows[$0] : nil })
  }

  private static func times(of cell: IndexCell) -> Range<Int64> {
    guard cell.count > 0 else { return SampleTimes.all }
    let first = SampleTimes.nanoseconds(notBefore: cell.firstTime)
    return first..<max(first, SampleTimes.nanoseconds(notBefore: cell.lastTime.nextUp))
  }

  /// The number of rows in all, and of those before a place: from sums where they count the same.
  private func counts(
    of focus: SeriesIdentity, _ statements: PageStatements, _ rows: TableRows,
    _ place: PageStatements.Place?, _ query: HistoryQuery, _ all: Everything
  ) throws -> (total: Int, before: Int) {
    guard query.page.order == .time, query.filter == nil, query.narrowed == nil,
      let window = statements.selection.times.first
    else { return try rows.count(before: place) }
    let contents = Contents([all.sums[focus].cell])
    func count(_ times: Range<Int64>) throws -> Int {
      var selection = statements.selection
      selection.times = [times]
      return try sums(selection, contents, withBins: false)[focus].cell.count
    }
    let total = try count(window)
    guard let place else { return (total, 0) }
    let earlier = try count(window.lowerBound..<max(window.lowerBound, min(place.at, window.upperBound)))
    guard place.host != nil, window.contains(place.at) else { return (total, earlier) }
    let same = TableRows(
      reader: rows.reader, statements: statements.during(place.at..<place.at + 1), order: .time)
    return (total, earlier + (try same.count(before: place).before))
  }

  static func row(
    _ sample: Sample, of samples: StoredSamples, _ row: StoredSample, _ focus: SeriesIdentity,
    _ all: Everything
  ) -> HistoryRow {
    let file = all.hosts.firstIndex(of: row.host) ?? 0
    return HistoryRow(
      sample, of: samples.batch, focus,
      at: SamplePlace(file: file, offset: row.seq, time: sample.time.clamped),
      line: Int(clamping: row.seq).addingSaturated(1))
  }

  /// The place that an anchor depends on; `nil` for the number of a row.
  private func place(
    of anchor: HistoryPageQuery.Anchor, _ query: HistoryQuery, _ all: Everything
  ) -> PageStatements.Place? {
    switch anchor {
    case .row: nil
    case .playhead:
      query.page.order == .time
        ? PageStatements.Place(at: SampleTimes.nanoseconds(notBefore: query.playhead.clamped.nextUp)) : nil
    case .sample(let place, _):
      PageStatements.Place(
        at: SampleTimes.nanoseconds(notBefore: place.time),
        host: all.hosts.indices.contains(place.file) ? all.hosts[place.file] : "", seq: place.offset)
    }
  }

  /// The row number of an anchor.
  private static func row(of page: HistoryPageQuery, before: Int) -> Int {
    switch page.anchor {
    case .row(let number): number
    case .playhead: page.order == .time ? before - 1 : 0
    case .sample(_, let offset): before + HistoryPageQuery.bounded(offset)
    }
  }

  // MARK: All samples

  /// All samples in a period before a moment; `nil` if there are too many.
  func store(before moment: Timestamp, span: Double, _ host: String?) throws -> SeriesStore? {
    let times = SampleTimes.range(moment - max(0, span)..<moment.nextUp)
    let statement = PageStatements.all(selection(host, in: [times]), limit: Self.storeLimit + 1)
    let rows = try reader.rows(statement) { row throws(RowBinaryReader.Damage) in try StoredSample(&row) }
    guard rows.count <= Self.storeLimit else { return nil }
    let samples = StoredSamples(rows)
    var (store, fold) = (SeriesStore(), SampleFold())
    fold.fold(samples.batch, samples.catalogue, into: &store)
    return store
  }

  /// The numbers of a series by label, host and time.
  func cube(
    of focus: SeriesIdentity, _ query: HistogramQuery, _ host: String?, _ all: Everything
  ) throws -> SampleCube {
    let times = query.window.map(SampleTimes.range) ?? SampleTimes.all
    let statements = PageStatements(selection: selection(host, of: focus, in: [times]), focus: focus)
    let sums = try sums(statements.selection, Contents([all.sums[focus].cell]), withBins: false)
    let total = sums[focus].cell.count
    let part = (total + Self.cubeLimit - 1) / Self.cubeLimit
    let rows = try reader.rows(statements.sample(part: part, limit: 2 * Self.cubeLimit)) {
      row throws(RowBinaryReader.Damage) in try StoredSample(&row)
    }
    let step = CubeAccumulator.step(of: query.window, in: all.range)
    var cube = CubeAccumulator(
      focus: focus, isOfTexts: query.isOfTexts, window: query.window,
      files: all.hosts.count > 1 && query.host == nil ? all.hosts : [],
      host: query.host.flatMap { name in all.hosts.firstIndex(of: name).map { (name, $0) } }, step: step)
    var start = 0
    while start < rows.count {
      let end = rows[start...].firstIndex { $0.host != rows[start].host } ?? rows.count
      let samples = StoredSamples(Array(rows[start..<end]))
      let file = all.hosts.firstIndex(of: rows[start].host) ?? 0
      cube.add(samples.batch, samples.catalogue, at: BatchPlace(file: file, block: 0))
      start = end
    }
    return cube.outcome
  }
}
