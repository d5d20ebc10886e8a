import Aggregation
import Foundation
import History
import Platform
import TestSupport
import Testing

/// The table of the samples that a filter lets through, against a plain list.
@Suite struct FilterTests {
  private let push = HistoryMaker.identity("push", "Push", field: "ms")

  /// A row that a filter may let through.
  private struct Truth: Equatable {
    let file: Int
    let line: Int
    let time: Timestamp
    let value: Double
    let outcome: String
  }

  private func truth(_ makers: [HistoryMaker]) -> [Truth] {
    makers.enumerated().flatMap { file, maker in
      let outcomes = Dictionary(
        uniqueKeysWithValues: maker.samples.compactMap { sample -> (Int, String)? in
          guard sample.identity.field == "outcome", case .text(let text) = sample.value else { return nil }
          return (sample.line, text)
        })
      return maker.samples.compactMap { sample -> Truth? in
        guard sample.identity == push, case .number(let value) = sample.value else { return nil }
        return Truth(
          file: file, line: sample.line, time: sample.time, value: value, outcome: outcomes[sample.line] ?? ""
        )
      }
    }.sorted { ($0.time, $0.file, $0.line) < ($1.time, $1.file, $1.line) }
  }

  private func query(
    _ filter: SampleFilter?, _ anchor: HistoryPageQuery.Anchor = .row(0),
    order: HistoryPageQuery.Order = .time, before: Int = 0, after: Int = 2000,
    window: Range<Timestamp> = Range(seconds: -1e10..<1e10), playhead: Timestamp = Timestamp(0)
  ) -> HistoryQuery {
    HistoryQuery(
      window: window, focus: push, columns: 10, playhead: playhead,
      page: HistoryPageQuery(order: order, anchor: anchor, before: before, after: after), filter: filter)
  }

  @Test(arguments: HistoryMaker.Disorder.allCases)
  func `a bin has its samples by time, and by value`(_ disorder: HistoryMaker.Disorder) throws {
    var maker = HistoryMaker(seed: 41)
    maker.fill(disorder, count: 2500)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let all = truth([maker])
    let filter = SampleFilter(values: 100..<300, labels: ["outcome": "fail"])
    let expected = all.filter { filter.values?.contains($0.value) ?? true && $0.outcome == "fail" }
    let page = try history.answer(query(filter)).page
    #expect(page.total == expected.count && !page.isCut && page.total > 20)
    #expect(page.rows.map(\.line) == expected.map(\.line))
    let byValue = try history.answer(query(filter, order: .value(descending: true))).page
    #expect(byValue.rows.map(\.value) == expected.map(\.value).sorted(by: >).map { .number($0) })
    let window = expected[5].time..<expected[max(6, expected.count - 5)].time
    let inside = try history.answer(query(filter, window: window)).page
    #expect(inside.rows.map(\.line) == expected.filter { window.contains($0.time) }.map(\.line))
  }

  @Test func `chart and summary stay whole`() throws {
    var maker = HistoryMaker(seed: 42)
    maker.fill(.none, count: 900)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let filter = SampleFilter(values: 0..<50)
    let (plain, filtered) = (try history.answer(query(nil)), try history.answer(query(filter)))
    #expect(filtered.chart == plain.chart && filtered.summary == plain.summary)
    #expect(filtered.series == plain.series && filtered.page.total < plain.page.total)
  }

  @Test func `anchors mean what they mean without a filter`() throws {
    var maker = HistoryMaker(seed: 43)
    maker.fill(.equal, count: 300)
    maker.fill(.shuffled, count: 2000)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let everything = SampleFilter()
    for row in [0, 3, 100, 5000] {
      let plain = try history.answer(query(nil, .row(row), before: 4, after: 5)).page
      #expect(try history.answer(query(everything, .row(row), before: 4, after: 5)).page == plain)
      guard let anchor = plain.anchor else { continue }
      for offset in [0, -2, 3, .min, .max] {
        let sample = HistoryPageQuery.Anchor.sample(plain.rows[anchor].place, offset: offset)
        #expect(
          try history.answer(query(everything, sample, before: 2, after: 9)).page
            == history.answer(query(nil, sample, before: 2, after: 9)).page)
      }
      for playhead in [
        Timestamp(0), plain.rows[anchor].time, plain.rows[anchor].time.nextUp, Timestamp(1e12),
      ] {
        #expect(
          try history.answer(query(everything, .playhead, before: 3, after: 3, playhead: playhead)).page
            == history.answer(query(nil, .playhead, before: 3, after: 3, playhead: playhead)).page)
      }
    }
  }

  @Test func `a sample that the filter leaves out stands for the next one`() throws {
    var maker = HistoryMaker(seed: 44)
    maker.fill(.none, count: 900)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let all = try history.answer(query(nil)).page.rows
    let filter = SampleFilter(values: 250..<1000)
    let index = try #require(
      all.indices.first { $0 > 5 && !Self.isHigh(all[$0]) && Self.isHigh(all[$0 + 1]) })
    let page = try history.answer(query(filter, .sample(all[index].place, offset: 0), after: 1)).page
    #expect(page.rows == [all[index + 1]])
  }

  private static func isHigh(_ row: HistoryRow) -> Bool {
    if case .number(let value) = row.value { value >= 250 } else { false }
  }

  @Test func `files, and fields that are missing, are labels`() throws {
    var (old, new) = (HistoryMaker(seed: 45), HistoryMaker(seed: 46))
    old.fill(.none, count: 600)
    new.fill(.none, count: 400)
    let history = try IndexMaintainer.indexed([MemoryBytes(old.text), MemoryBytes(new.text)]).history
    let all = truth([old, new])
    let name = history.files[1].name
    let ofFile = try history.answer(query(SampleFilter(labels: [SampleCube.fileDimension: .value(name)])))
      .page
    #expect(ofFile.rows.map(\.line) == all.filter { $0.file == 1 }.map(\.line))
    #expect(try history.answer(query(SampleFilter(labels: ["outcome": .missing]))).page.total == 0)
    #expect(try history.answer(query(SampleFilter(labels: ["country": .missing]))).page.total == all.count)
    #expect(try history.answer(query(SampleFilter(labels: ["country": "fi"]))).page == HistoryPage())
  }

  @Test func `every choice that a cube answers has as many rows`() throws {
    var maker = HistoryMaker(seed: 47)
    maker.fill(.none, count: 2500)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let cube = try history.cube(of: push)
    for (outcome, selection) in cube.split(by: "outcome") {
      #expect(
        try history.answer(query(SampleFilter(labels: ["outcome": outcome]))).page.total == selection.count)
      for bin in selection.bins.prefix(40) where bin.lower >= 0 {
        // A value that is kept itself is its own bin.
        let end = max(bin.upper, bin.lower.nextUp)
        let filter = SampleFilter(values: bin.lower..<end, labels: ["outcome": outcome])
        #expect(try history.answer(query(filter)).page.total == bin.count)
      }
    }
  }

  @Test func `scrolling reads nothing but the rows, and a file that grows is read on`() throws {
    var maker = HistoryMaker(seed: 48)
    maker.fill(.none, count: 6000)
    let bytes = Array(maker.text.utf8)
    let file = MemoryBytes(Array(bytes[..<(bytes.count / 2)]))
    let maintainer = try IndexMaintainer.indexed([file])
    let filter = SampleFilter(values: 200..<250)
    _ = try maintainer.answer(query(filter))
    _ = file.takeRead()
    _ = try maintainer.answer(query(filter, .row(7), after: 1))
    #expect(file.takeRead() <= 4 * 16_384)
    file.change { $0 = bytes }
    _ = maintainer.refresh()
    let expected = truth([maker]).filter { filter.values?.contains($0.value) ?? true }
    #expect(try maintainer.answer(query(filter)).page.rows.map(\.line) == expected.map(\.line))
  }

  @Test func `a search that is given up is told and begins where it was left`() throws {
    var maker = HistoryMaker(seed: 49)
    maker.fill(.none, count: 3000)
    let history = try IndexMaintainer.indexed([MemoryBytes(maker.text)]).history
    let filter = SampleFilter(values: 0..<100)
    history.onProgress = { done, total in done * 2 < total }
    #expect(throws: IndexPass.Failure.cancelled) { try history.answer(query(filter)) }
    history.onProgress = { _, _ in true }
    let expected = truth([maker]).filter { $0.value < 100 }
    #expect(try history.answer(query(filter)).page.rows.map(\.line) == expected.map(\.line))
  }
}
