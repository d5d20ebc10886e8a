import Aggregation
import History
import Platform

// The comparison of hosts.
extension ClickHouseSource {
  /// Compares all hosts by the focus of a query.
  func compareHosts(_ wanted: HostsQuery, _ query: HistoryQuery) throws -> HostsAnswer {
    let all = try everything(of: nil)
    var cells: [String: IndexCell] = [:]
    if let focus = query.focus {
      var selection = selection(nil, of: focus, in: [SampleTimes.range(query.window)])
      selection.splitByHost()
      let rows = try rows(of: selection, Contents([all.sums[focus].cell]), withBins: true)
      rows.forEach { key, cell, _ in cells[key.host] = cell }
    }
    var comparison = HostComparison(of: query.focus)
    for host in all.hosts {
      comparison.add(
        HostComparison.Host(name: host, cell: cells[host] ?? IndexCell(), lastTime: all.lastTimes[host]))
    }
    var answer = comparison.answer(wanted)
    guard let focus = query.focus else { return answer }
    var plain = query.pinned(focus)
    plain.scope = .all
    answer.chart = try chart(of: focus, plain, all)
    let places = wanted.cells.clamped(to: answer.rows.indices).filter { answer.rows[$0].count > 0 }
    let charts = try charts(ofHosts: places.map { answer.rows[$0].name }, of: focus, plain, all)
    for place in places {
      answer.rows[place].cells = charts[answer.rows[place].name]?.map { $0.flatMap(HostCell.init) } ?? []
    }
    return answer
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

  /// The columns of some hosts, over the steps of the chart of all.
  private func charts(
    ofHosts hosts: [String], of focus: SeriesIdentity, _ query: HistoryQuery, _ all: Everything
  ) throws -> [String: [HistoryColumn?]] {
    guard !hosts.isEmpty, query.columns > 0, !query.window.isEmpty else { return [:] }
    let steps = Steps(query)
    var selection = selection(nil, of: focus, in: [SampleTimes.range(steps.columns.times)])
    selection.splitByHost(among: hosts)
    let rows = try rows(selection, Contents([all.sums[focus].cell]), exponent: steps.asked)
    var charts = Dictionary(uniqueKeysWithValues: Set(hosts).map { ($0, steps.columns) })
    rows.forEach { key, cell, texts in charts[key.host]?.add(cell, texts, key: steps.key(key.step)) }
    return charts.mapValues(\.chart.columns)
  }
}
