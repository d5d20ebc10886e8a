import Aggregation
import History
import Platform

// The comparison of hosts.
extension ClickHouseSource {
  /// Compares all hosts by the focus of a query.
  ///
  /// - Parameter pooled: The chart of all hosts for the same query, if it is already there.
  func compareHosts(
    _ wanted: HostsQuery, _ query: HistoryQuery, pooled: HistoryChart?
  ) throws -> HostsAnswer {
    let all = try everything(of: nil)
    var answer = try comparison(query, all).answer(wanted)
    guard let focus = query.focus else { return answer }
    var plain = query.pinned(focus)
    plain.scope = .all
    answer.chart = try pooled ?? chart(of: focus, plain, all)
    let places = wanted.cells.clamped(to: answer.rows.indices).filter { answer.rows[$0].count > 0 }
    let charts = try charts(ofHosts: places.map { answer.rows[$0].name }, of: focus, plain, all)
    for place in places {
      guard let (columns, whole) = charts[answer.rows[place].name] else { continue }
      answer.rows[place].cells = columns.map { $0.flatMap(HostCell.init) }
      let quantiles = whole.quantiles([50, 95], of: focus).map(\.value)
      (answer.rows[place].p50, answer.rows[place].p95) = (quantiles.first, quantiles.last)
    }
    return answer
  }

  /// The hosts with their shares of the focus.
  private func comparison(_ query: HistoryQuery, _ all: Everything) throws -> HostComparison {
    var hosts = all.hosts.map { HostComparison.Host(name: $0, lastTime: all.lastTimes[$0]) }
    guard let focus = query.focus else { return HostComparison(of: hosts, by: nil) }
    let contents = Contents([all.sums[focus].cell])
    var selection = selection(nil, of: focus, in: [SampleTimes.range(query.window)])
    guard contents.hasNumbers else {
      selection.splitByHost()
      var cells: [String: IndexCell] = [:]
      try rows(of: selection, contents, withBins: false).forEach { key, cell, _ in cells[key.host] = cell }
      for place in hosts.indices { hosts[place].cell = cells[hosts[place].name] ?? IndexCell() }
      return HostComparison(of: hosts, by: focus)
    }
    // The bins of each host, so that those around the bound are the same.
    let sketch =
      SketchHistogram(
        coarseness: UInt8(Rollup.hosts.shift - SeriesRows.finestShift), bins: []) ?? SketchHistogram()
    let bound = FleetBound(try rows(of: selection, contents, withBins: true).bins(asCoarseAs: sketch))
    let bins = try bound.map { try self.bins(around: $0, sketch, selection) } ?? [:]
    for place in hosts.indices { hosts[place].bins = bins[hosts[place].name] ?? [] }
    return HostComparison(of: hosts, by: focus, bound: bound)
  }

  /// Each host's numbers below the bin of the bound, in it, and above it.
  private func bins(
    around bound: FleetBound, _ sketch: SketchHistogram, _ selection: ServerSelection
  ) throws -> [String: [HistogramBin]] {
    var sketch = sketch
    sketch.record(bound.value, limit: .max)
    guard let key = sketch.bins.first?.key, let bin = sketch.intervals.first else { return [:] }
    var selection = selection
    selection.splitByHost()
    let parts = Self.split(selection)
    var statements: [String] = []
    if parts.usesRollup {
      statements.append(SeriesStatements(selection: selection).shares(above: key, parts.slots))
    }
    selection.times = parts.rest
    if !parts.rest.isEmpty { statements.append(SeriesStatements(selection: selection).shares(above: key)) }
    var bins: [String: [HistogramBin]] = [:]
    for statement in statements {
      let rows = try reader.rows(statement) { row throws(RowBinaryReader.Damage) in
        (host: try row.text(), all: try row.tally(), inside: try row.tally(), above: try row.tally())
      }
      for row in rows {
        let below = max(0, row.all - row.inside - row.above)
        bins[row.host, default: []] += [
          HistogramBin(lower: -.greatestFiniteMagnitude, upper: bin.lower, count: below),
          HistogramBin(lower: bin.lower, upper: bin.upper, count: row.inside),
          HistogramBin(lower: bin.upper, upper: .greatestFiniteMagnitude, count: row.above),
        ]
      }
    }
    return bins
  }

  /// The time of the last sample of each host.
  func lastTimes() throws -> [String: Timestamp] {
    let tables = [Rollup.hosts.sums, Rollup.hosts.words]
    let parts = tables.map { "SELECT host, maxMerge(last) FROM \(database).\($0) GROUP BY host" }
    let rows = try reader.rows(parts.joined(separator: " UNION ALL ")) {
      row throws(RowBinaryReader.Damage) in (try row.text(), SampleTimes.time(try row.word()))
    }
    return Dictionary(rows) { max($0, $1) }
  }

  /// The columns of some hosts over the steps of the chart of all, and their sums.
  private func charts(
    ofHosts hosts: [String], of focus: SeriesIdentity, _ query: HistoryQuery, _ all: Everything
  ) throws -> [String: (columns: [HistoryColumn?], whole: IndexCell)] {
    guard !hosts.isEmpty, query.columns > 0, !query.window.isEmpty else { return [:] }
    let steps = Steps(query)
    var selection = selection(nil, of: focus, in: [SampleTimes.range(steps.columns.times)])
    selection.splitByHost(among: hosts)
    let rows = try rows(selection, Contents([all.sums[focus].cell]), exponent: steps.asked)
    var charts = Dictionary(uniqueKeysWithValues: Set(hosts).map { ($0, (steps.columns, IndexCell())) })
    rows.forEach { key, cell, texts in
      charts[key.host]?.0.add(cell, texts, key: steps.key(key.step))
      charts[key.host]?.1.merge(cell) { _ in 0 }
    }
    return charts.mapValues { ($0.chart.columns, $1) }
  }
}
