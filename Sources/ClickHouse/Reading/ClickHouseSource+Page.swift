import Aggregation
import History
import JSONLines
import Platform

// Single samples: the table, one of them in detail, and all of a time.
extension ClickHouseSource {
  /// Half of the period that a sample is compared with, in seconds.
  private static let halfHour = 1800.0
  /// Maximum bytes shown of a line.
  private static let textLimit = 8192
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
    let rows = try TableRows(reader: reader, statements: statements, order: query.page.order)
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

  private static func row(
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

  // MARK: Detail

  func detail(
    of focus: SeriesIdentity, _ stored: StoredSample, _ query: HistoryQuery, _ all: Everything
  ) throws -> HistoryDetail? {
    let samples = StoredSamples([stored])
    var found: HistoryDetail?
    samples.forEach { sample, row, line in
      found = HistoryDetail(
        row: Self.row(sample, of: samples, row, focus, all), path: row.host,
        rawLine: String(decoding: line.prefix(Self.textLimit), as: UTF8.self))
    }
    guard var detail = found else { return nil }
    let hour = SampleTimes.range(stored.time - Self.halfHour..<stored.time + Self.halfHour)
    let statements = PageStatements(
      selection: selection(query.scope.host, of: focus, in: [hour]), focus: focus)
    var value: Double?
    if case .number(let number) = detail.row.value { value = number }
    let counts = try reader.rows(statements.rank(of: value)) { row throws(RowBinaryReader.Damage) in
      (all: try row.tally(), numbers: try row.tally(), below: try row.tally())
    }
    if let counts = counts.first {
      detail.hourCount = counts.all
      let share = Double(counts.below) / Double(max(1, counts.numbers))
      detail.rank = value == nil || counts.numbers == 0 ? nil : share...share
    }
    detail.peers = try peers(of: detail.row, statements)
    return detail
  }

  private func peers(of row: HistoryRow, _ statements: PageStatements) throws -> [HistoryPeers] {
    let labels = row.fields.compactMap { field in field.value.label.map { (field: field.name, value: $0) } }
    guard !labels.isEmpty else { return [] }
    // One row.
    let counts = try reader.rows(statements.peers(labels)) { row throws(RowBinaryReader.Damage) in
      try row.tally()
    }
    return zip(labels, counts).compactMap { label, count in
      count > 0 ? HistoryPeers(field: label.field, value: label.value, count: count) : nil
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
    let total = try TableRows(reader: reader, statements: statements, order: .time).count(before: nil).total
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
