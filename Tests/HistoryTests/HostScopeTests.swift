import Aggregation
import History
import Platform
import Testing

/// Answers for one host of a folder, against a history of its file alone.
@Suite struct HostScopeTests {
  private let push = HistoryMaker.identity("push", "Push", field: "ms")
  private let start = 800_000_000.0

  /// Files of 12 hosts with different samples; the ones of host 7 are slow.
  private func makers() -> [HistoryMaker] {
    (0..<12).map { host in
      var maker = HistoryMaker(seed: UInt64(host) + 1)
      for number in 0..<600 {
        let milliseconds = Double.random(in: 50...100, using: &maker.generator) * (host == 7 ? 3.3 : 1)
        maker.add(
          outcome: number % 9 == host % 9 ? "fail" : "ok", milliseconds: milliseconds,
          at: start + Double(number))
      }
      maker.add(number: Double(host), to: "only\(host)", at: start + 600 + Double(host))
      return maker
    }
  }

  private func query(_ scope: HostScope, order: HistoryPageQuery.Order = .time) -> HistoryQuery {
    var query = HistoryQuery(
      window: Timestamp(start + 10.5)..<Timestamp(start + 590.5), focus: push, columns: 40,
      playhead: Timestamp(start + 300),
      page: HistoryPageQuery(order: order, anchor: .playhead, before: 20, after: 30), wantsDetail: true,
      storeSpan: 100, selection: Timestamp(start + 20)..<Timestamp(start + 50),
      histogram: HistogramQuery(series: push))
    query.pins = [HistoryMaker.identity("push", "Push", field: "outcome")]
    query.scope = scope
    return query
  }

  /// Expects every part of a narrowed answer to be that of the host's file alone.
  private func expect(_ found: HistoryAnswer, _ alone: HistoryAnswer, file: Int) {
    #expect(found.range == alone.range && found.density == alone.density && found.series == alone.series)
    #expect(found.chart == alone.chart && found.pins == alone.pins)
    #expect(found.summary == alone.summary && found.selection == alone.selection)
    #expect(found.page.first == alone.page.first && found.page.total == alone.page.total)
    #expect(found.page.rows.map(\.line) == alone.page.rows.map(\.line) && !found.page.rows.isEmpty)
    #expect(found.page.rows.map(\.value) == alone.page.rows.map(\.value))
    #expect(found.page.rows.allSatisfy { $0.place.file == file } && found.files.count == 12)
    #expect(found.detail?.rawLine == alone.detail?.rawLine && found.detail?.row.place.file == file)
    #expect(
      found.detail?.hourCount == alone.detail?.hourCount && found.detail?.others == alone.detail?.others)
    #expect(found.store?.recorded == alone.store?.recorded && (found.store?.recorded ?? 0) > 0)
    #expect(found.cube?.count == alone.cube?.count && found.cube?.selection() == alone.cube?.selection())
  }

  @Test(
    "every part of a narrowed answer is of the host alone, whatever was asked before",
    arguments: [HistoryPageQuery.Order.time, .value(descending: true)])
  func narrowed(order: HistoryPageQuery.Order) throws {
    let makers = makers()
    let files = makers.map { MemoryBytes($0.text) }
    let history = try IndexMaintainer.indexed(files).history
    let all = try history.answer(query(.all, order: order))
    #expect(all.summary.count == 12 * 580)
    for host in [3, 7, 3] {
      let alone = try IndexMaintainer.indexed([files[host]]).history.answer(query(.all, order: order))
      expect(try history.answer(query(.host("\(host)"), order: order)), alone, file: host)
      let again = try history.answer(query(.all, order: order))
      #expect(again.summary == all.summary && again.page == all.page && again.series == all.series)
      #expect(again.cube?.count == all.cube?.count)
    }
  }

  @Test func `the place of a sample stays valid as an anchor while narrowed`() throws {
    let history = try IndexMaintainer.indexed(makers().map { MemoryBytes($0.text) }).history
    let first = try history.answer(query(.host("5")))
    let row = try #require(first.page.rows.last)
    var next = query(.host("5"))
    next.page.anchor = .sample(row.place, offset: 0)
    let answer = try history.answer(next)
    #expect(answer.page.anchor.map { answer.page.rows[$0] } == row && answer.detail?.row == row)
    // The sample of another host stands between the host's own ones.
    next.page.anchor = .sample(SamplePlace(file: 2, offset: 0, time: row.place.time), offset: 0)
    #expect(try history.answer(next).page.rows.contains(row))
  }

  @Test func `a narrowed history grows with its file`() throws {
    let makers = makers()
    let files = makers.map { MemoryBytes($0.text) }
    let maintainer = try IndexMaintainer.indexed(files)
    _ = try maintainer.history.answer(query(.host("4")))
    var more = HistoryMaker(seed: 99)
    more.add(outcome: "ok", milliseconds: 70, at: start + 40.5)
    files[4].change { $0 += Array(more.text.utf8) }
    #expect(maintainer.refresh())
    let found = try maintainer.history.answer(query(.host("4")))
    #expect(found.summary.count == 581)
    #expect(try maintainer.history.answer(query(.host("5"))).summary.count == 580)
  }

  @Test func `the comparison lists all hosts with their cells, in every scope`() throws {
    let history = try IndexMaintainer.indexed(makers().map { MemoryBytes($0.text) }).history
    for scope in [HostScope.all, .host("2")] {
      var query = query(scope)
      query.hosts = HostsQuery(limit: 100, cells: 0..<3)
      let answer = try history.answer(query)
      let hosts = try #require(answer.hosts)
      #expect(hosts.total == 12 && hosts.rows.count == 12 && hosts.count == 12 * 580)
      #expect(hosts.rows[0].name == "7" && hosts.rows[0].share ?? 0 > 0.5)
      #expect(hosts.rows.allSatisfy { $0.count == 580 })
      #expect(hosts.rows.first { $0.name == "9" }?.lastTime == Timestamp(start + 609))
      #expect(hosts.rows.prefix(3).allSatisfy { $0.cells.count == hosts.chart.columns.count })
      #expect(hosts.rows.dropFirst(3).allSatisfy { $0.cells.isEmpty })
      #expect(hosts.chart.columns.count <= 40)
      // The cells of all hosts together are the fleet's columns.
      query.hosts = HostsQuery(limit: 100, cells: 0..<100)
      let whole = try #require(try history.answer(query).hosts)
      for (column, fleet) in whole.chart.columns.enumerated() {
        #expect(whole.rows.reduce(0) { $0 + ($1.cells[column]?.count ?? 0) } == fleet?.numbers ?? 0)
      }
    }
  }

  @Test func `a host is a label of the cube, beside all others`() throws {
    let history = try IndexMaintainer.indexed(makers().map { MemoryBytes($0.text) }).history
    let cube = try history.cube(of: push, host: "7")
    let own = cube.count(of: .init(labels: [SampleCube.hostDimension: .value("7")]))
    let others = cube.count(of: .init(labels: [SampleCube.hostDimension: .missing]))
    #expect(own == 600 && others == 11 * 600)
    #expect(try history.cube(of: push).dimensions.contains { $0.name == SampleCube.hostDimension } == false)
    var wanted = query(.all, order: .value(descending: true))
    wanted.filter = SampleFilter(labels: [SampleCube.hostDimension: .value("7")])
    let page = try history.answer(wanted).page
    #expect(page.total == 580 && page.rows.allSatisfy { $0.place.file == 7 })
  }

  @Test func `an unknown host has an empty answer that says so`() throws {
    let history = try IndexMaintainer.indexed(makers().map { MemoryBytes($0.text) }).history
    let answer = try history.answer(query(.host("gone")))
    #expect(answer.series.isEmpty && answer.range == nil && answer.page.rows.isEmpty)
    #expect(answer.notes == ["no file belongs to the host gone any more"])
  }
}
