import Aggregation
import History

/// The differences between two answers to one query.
///
/// Percentiles come from bins: those of rollups are wider than those of an index.
struct AnswerComparison {
  private(set) var differences: [String] = []
  /// True if the files are those of one host, so that their numbers differ.
  private let isOfHost: Bool

  init(files: HistoryAnswer, server: HistoryAnswer) {
    isOfHost = server.query.scope != .all
    if !isOfHost { check("files", files.files, server.files) }
    check("range", files.range, server.range)
    check("density", files.density?.total, server.density?.total)
    check("series", files.series, server.series)
    compare("chart", files.chart, server.chart)
    check("pins", Set(files.pins.keys), Set(server.pins.keys))
    for (pin, chart) in files.pins {
      if let other = server.pins[pin] { compare("pin \(pin.label)", chart, other) }
    }
    compare("summary", files.summary, server.summary)
    check("has selection", files.selection == nil, server.selection == nil)
    if let one = files.selection, let other = server.selection { compare("selection", one, other) }
    compare(files.page, server.page)
    compare(files.detail, server.detail)
    check("store", files.store?.recorded, server.store?.recorded)
    check("stored series", files.store?.allSeries.count, server.store?.allSeries.count)
    compare(files.cube, server.cube)
    compare(files.hosts, server.hosts, files.files)
  }

  private mutating func check<Value: Equatable>(_ name: String, _ one: Value, _ other: Value) {
    if one != other { differences.append("\(name): \(one) ≠ \(other)") }
  }

  private mutating func expect(_ name: String, _ isTrue: Bool, _ what: @autoclosure () -> String) {
    if !isTrue { differences.append("\(name): \(what())") }
  }

  private static func areClose(_ one: Double, _ other: Double, _ scale: Double) -> Bool {
    abs(one - other) <= 1e-12 * max(scale, one.magnitude)
  }

  /// True if two doubles share a bin of the coarsest rollup.
  private static func shareBin(_ one: Double, _ other: Double) -> Bool {
    one == other || one.sign == other.sign && one.bitPattern >> 49 == other.bitPattern >> 49
  }

  private mutating func compare(_ name: String, _ one: HistoryChart, _ other: HistoryChart) {
    // Steps have a whole number of nanoseconds on a server.
    guard one.step >= 0x1p-9 else { return }
    check("\(name) step", one.step, other.step)
    check("\(name) first", one.firstKey, other.firstKey)
    check("\(name) columns", one.columns.map { $0 == nil }, other.columns.map { $0 == nil })
    check("\(name) texts", one.texts, other.texts)
    for case (let one?, let other?) in zip(one.columns, other.columns) {
      let scale = max(one.minimum.magnitude, one.maximum.magnitude)
      expect("\(name) mean", Self.areClose(one.mean, other.mean, scale), "\(one.mean) \(other.mean)")
      for path in [\ValueSpread.p5, \.p25, \.p50, \.p75, \.p95] {
        let (left, right) = (one.spread[keyPath: path], other.spread[keyPath: path])
        expect("\(name) spread", Self.shareBin(left, right), "\(left) \(right)")
      }
      var same = other
      (same.mean, same.spread) = (one.mean, one.spread)
      check("\(name) column", one, same)
    }
  }

  private mutating func compare(_ name: String, _ one: HistorySummary, _ other: HistorySummary) {
    let scale = max(one.minimum?.magnitude ?? 0, one.maximum?.magnitude ?? 0)
    check("\(name) has mean", one.mean == nil, other.mean == nil)
    expect(
      "\(name) mean", Self.areClose(one.mean ?? 0, other.mean ?? 0, scale),
      "\(one.mean ?? 0) \(other.mean ?? 0)")
    check("\(name) quantiles", one.quantiles.count, other.quantiles.count)
    for (one, other) in zip(one.quantiles, other.quantiles) {
      expect("\(name) quantile", other.lower <= one.value && one.value <= other.upper, "\(one) \(other)")
    }
    var same = other
    (same.mean, same.quantiles) = (one.mean, one.quantiles)
    check(name, one, same)
  }

  private mutating func compare(_ one: HistoryPage, _ other: HistoryPage) {
    check("page total", one.total, other.total)
    check("page first", one.first, other.first)
    check("page anchor", one.anchor, other.anchor)
    check("page rows", one.rows.map(row), other.rows.map(row))
  }

  private mutating func compare(_ one: HistoryDetail?, _ other: HistoryDetail?) {
    check("has detail", one == nil, other == nil)
    guard let one, let other else { return }
    check("detail row", row(one.row), row(other.row))
    check("line", one.rawLine, other.rawLine)
    check("hour", one.hourCount, other.hourCount)
    check("has rank", one.rank == nil, other.rank == nil)
    // Files estimate it where they would have to read much.
    if let one = one.rank, let other = other.rank {
      expect(
        "rank", one.lowerBound <= other.lowerBound && other.upperBound <= one.upperBound, "\(one) \(other)")
    }
    check("peers", one.peers, other.peers)
  }

  private func row(_ row: HistoryRow) -> HistoryRow {
    let place = SamplePlace(file: isOfHost ? 0 : row.place.file, offset: UInt64(row.line), time: row.time)
    return HistoryRow(place: place, line: row.line, value: row.value, fields: row.fields)
  }

  private mutating func compare(_ one: SampleCube?, _ other: SampleCube?) {
    check("has cube", one == nil, other == nil)
    guard let one, let other else { return }
    check("cube step", one.step, other.step)
    check("passed over", one.passedOver, other.passedOver)
    let (all, others) = (one.selection(), other.selection())
    check("cube count", all.moments.count, others.moments.count)
    check("cube bins", all.bins, others.bins)
    let names = { (cube: SampleCube) in
      Set(
        cube.dimensions.filter { $0.name != SampleCube.fileDimension }.map {
          "\($0.name) \($0.values.sorted())"
        })
    }
    check("cube dimensions", names(one), names(other))
  }

  /// Shares and percentiles come from bins, and a server knows the last number of a host.
  private mutating func compare(_ one: HostsAnswer?, _ other: HostsAnswer?, _ files: [String]) {
    check("has hosts", one == nil, other == nil)
    guard let one, let other else { return }
    check("hosts", one.total, other.total)
    check("numbers of hosts", one.count, other.count)
    check("has bound", one.bound == nil, other.bound == nil)
    // Files compare hosts in the steps that they have at once.
    let isAsFine = one.chart.step == other.chart.step
    if isAsFine { compare("chart of hosts", one.chart, other.chart) }
    let names = Dictionary(uniqueKeysWithValues: zip(files, HostNames.hosts(ofFiles: files)))
    let rows = Dictionary(uniqueKeysWithValues: other.rows.map { (names[$0.name] ?? "", $0) })
    check("rows of hosts", Set(one.rows.map(\.name)), Set(rows.keys))
    for row in one.rows {
      guard let other = rows[row.name] else { continue }
      check("count of \(row.name)", row.count, other.count)
      check("has share", row.share == nil, other.share == nil)
      // Of few samples, the place of one inside its bin decides.
      let distance = abs((row.share ?? 0) - (other.share ?? 0))
      expect("share", distance < 0.1 || distance * Double(row.count) < 1, "\(row) \(other)")
      guard isAsFine else { continue }
      check("cells of \(row.name)", row.cells.map { $0?.count }, other.cells.map { $0?.count })
      for case (let cell?, let other?) in zip(row.cells, other.cells) {
        expect("mean of cell", Self.areClose(cell.mean, other.mean, 1000), "\(cell) \(other)")
        expect("p95 of cell", Self.shareBin(cell.p95, other.p95), "\(cell) \(other)")
      }
    }
  }
}
