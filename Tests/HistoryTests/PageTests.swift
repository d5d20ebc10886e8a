import Aggregation
import Foundation
import History
import Platform
import TestSupport
import Testing

/// The table, the chart and the detail against a plain list of the samples.
@Suite struct PageTests {
  private static func order(_ samples: [PlainSample], _ identity: SeriesIdentity, _ window: Range<Timestamp>)
    -> [PlainSample]
  {
    samples.filter { $0.identity == identity && window.contains($0.time) }
      .sorted { ($0.time, $0.line) < ($1.time, $1.line) }
  }

  @Test(arguments: HistoryMaker.Disorder.allCases)
  func `any page of the table is that of the sorted list`(_ disorder: HistoryMaker.Disorder) throws {
    var maker = HistoryMaker(seed: 21)
    maker.fill(disorder, count: 2000)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let identity = HistoryMaker.identity("n1", "Double")
    let times = maker.samples.map(\.time)
    let (first, last) = (times.min() ?? Timestamp(0), times.max() ?? Timestamp(0))
    let windows = [
      first..<last.nextUp, first + (last - first) / 3..<max(last.nextUp - (last - first) / 3, first.nextUp),
    ]
    for window in windows {
      let expected = Self.order(maker.samples, identity, window)
      for row in [0, 1, expected.count / 3, expected.count / 2, expected.count - 1, expected.count + 5] {
        let answer = try history.answer(
          HistoryQuery(
            window: window, focus: identity, playhead: Timestamp(0),
            page: HistoryPageQuery(anchor: .row(row), before: 7, after: 9)))
        let page = answer.page
        #expect(page.total == expected.count)
        guard !expected.isEmpty else { continue }
        let anchor = max(0, min(expected.count - 1, row))
        let rows = expected[max(0, anchor - 7)..<min(expected.count, anchor + 9)]
        #expect(page.first == rows.startIndex)
        #expect(page.rows.map(\.line) == rows.map(\.line), "row \(row)")
        #expect(page.rows.map(\.value) == rows.map(\.value))
        #expect(page.anchor == anchor - rows.startIndex)
      }
    }
  }

  @Test func `the playhead stands on the last row before it`() throws {
    var maker = HistoryMaker(seed: 3)
    maker.fill(.none, count: 900)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let identity = HistoryMaker.identity("n0", "Double")
    let window = Range(seconds: 799_999_999..<800_002_000)
    let expected = Self.order(maker.samples, identity, window)
    for place in [0, 10, expected.count - 1] {
      let query = HistoryQuery(
        window: window, focus: identity, playhead: expected[place].time + 1e-6,
        page: HistoryPageQuery(before: 1, after: 1), wantsDetail: true)
      let answer = try history.answer(query)
      let row = try #require(answer.page.anchor.map { answer.page.rows[$0] })
      #expect(row.line == expected[place].line)
      let detail = try #require(answer.detail)
      #expect(detail.rawLine.contains("\"n0\""))
      #expect(detail.row == row)
    }
  }

  @Test(arguments: [0.0, 0.4, 1])
  func `what all else showed is known in the past too, indexed or not`(_ indexed: Double) throws {
    var maker = HistoryMaker(seed: 5)
    maker.fill(.none, count: 3000)
    let whole = Array(maker.text.utf8)
    let bytes = MemoryBytes(Array(whole.prefix(Int(Double(whole.count) * indexed))))
    let maintainer = IndexMaintainer.of([bytes])
    _ = maintainer.refresh()
    try maintainer.index { _, _ in true }
    bytes.change { $0 = whole }
    _ = maintainer.refresh()
    let identity = HistoryMaker.identity("n0", "Double")
    let window = Range(seconds: 799_999_999..<800_009_000)
    let rows = Self.order(maker.samples, identity, window)
    for place in [rows.count / 8, rows.count / 2, rows.count - 2] {
      let moment = rows[place].time
      let query = HistoryQuery(
        window: window, focus: identity, playhead: moment, page: HistoryPageQuery(before: 1, after: 1),
        wantsDetail: true)
      let others = try #require(try maintainer.history.answer(query).detail).others
      #expect(others.allSatisfy { (0...HistoryNeighbour.oldAge).contains(moment - $0.time) })
      for other in others {
        let before = maker.samples.filter { $0.time <= moment && $0.identity == other.identity }
        #expect(other.value == before.max { $0.time < $1.time }?.value)
      }
    }
  }

  @Test func `a narrowed table holds the rows of that value`() throws {
    var maker = HistoryMaker(seed: 4)
    maker.fill(.none, count: 1500)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let identity = HistoryMaker.identity("push", "Push", field: "outcome")
    let window = Range(seconds: 799_999_999..<800_009_000)
    let expected = Self.order(maker.samples, identity, window).filter { $0.value == .text("fail") }
    let answer = try history.answer(
      HistoryQuery(
        window: window, focus: identity, narrowed: "fail", columns: 100, playhead: Timestamp(0),
        page: HistoryPageQuery(anchor: .row(0), after: 500)))
    #expect(answer.page.rows.map(\.line) == expected.map(\.line))
    #expect(answer.page.rows.allSatisfy { $0.fields.first?.name == "ms" })
    #expect(answer.chart.columns.compactMap { $0?.count }.reduce(0, +) == expected.count)
  }

  @Test(arguments: [true, false])
  func `by value the table is the list sorted by value`(_ descending: Bool) throws {
    var maker = HistoryMaker(seed: 8)
    maker.fill(.shuffled, count: 1500)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let identity = HistoryMaker.identity("n2", "Double")
    let window = Range(seconds: 0..<1e9)
    let numbers = Self.order(maker.samples, identity, window).compactMap { sample in
      if case .number(let value) = sample.value { value } else { nil }
    }
    let expected = descending ? numbers.sorted(by: >) : numbers.sorted()
    let answer = try history.answer(
      HistoryQuery(
        window: window, focus: identity, playhead: Timestamp(0),
        page: HistoryPageQuery(order: .value(descending: descending), anchor: .row(3), before: 3, after: 40)))
    #expect(answer.page.rows.map(\.value) == expected.prefix(43).map { .number($0) })
    #expect(answer.page.total == expected.count)
  }

  @Test(arguments: HistoryMaker.Disorder.allCases, [4, 60, 300])
  func `the columns of a chart hold every sample once`(_ disorder: HistoryMaker.Disorder, _ columns: Int)
    throws
  {
    var maker = HistoryMaker(seed: 31)
    maker.fill(disorder, count: 1200)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let identity = HistoryMaker.identity("n1", "Double")
    let window =
      try #require(try history.range()).lowerBound..<(#require(try history.range()).upperBound.nextUp)
    let chart = try history.answer(
      HistoryQuery(window: window, focus: identity, columns: columns, playhead: Timestamp(0))
    ).chart
    #expect(chart.columns.count <= max(columns, 2))
    for (place, column) in chart.columns.enumerated() {
      let edges = chart.start(ofColumn: place)..<chart.start(ofColumn: place + 1)
      let expected = Self.order(maker.samples, identity, edges)
      #expect(column?.count ?? 0 == expected.count)
      guard let column else { continue }
      let numbers = expected.compactMap { if case .number(let value) = $0.value { value } else { nil } }
      #expect(column.minimum == numbers.min() && column.maximum == numbers.max())
    }
  }
}
