import TestSupport
import Testing

@testable import Aggregation

@Suite("More series than rows")
struct SharedSeriesTests {
  private func identity(_ number: Int) -> SeriesIdentity {
    SeriesIdentity(bucket: "b", name: "m\(number)", typeName: "Int")
  }

  private func names(_ store: SeriesStore) -> Set<String> {
    Set(store.allSeries.compactMap { store.identity(of: $0)?.name })
  }

  @Test("the least recent share one counted row, and nothing of them is lost")
  func leastRecent() throws {
    var store = SeriesStore(limits: .init(series: 3))
    for number in 0..<10 {
      let id = store.series(for: identity(number), at: Double(number))
      store.record(id, time: Double(number), value: .number(Double(number)))
    }
    #expect(names(store) == ["m7", "m8", "m9", "(more metrics)"])
    #expect(store.sharedSeries == 7)
    #expect(store.metricCount == (10, false))
    let others = try #require(store.id(of: .overflow))
    #expect(store.tally(of: others).count == 7)
    let summary = store.summary(of: others, from: 0, to: 10)
    #expect(summary.moments.total == 21 && summary.moments.maximum == 6)
  }

  @Test("who gets samples keeps the row; who comes back gets one again")
  func recency() throws {
    var store = SeriesStore(limits: .init(series: 3))
    for number in 0..<3 {
      store.record(store.series(for: identity(number)), time: Double(number), value: .number(1))
    }
    let first = store.series(for: identity(0))
    store.record(first, time: 3, value: .number(1))
    let second = try #require(store.id(of: identity(1)))
    store.record(store.series(for: identity(3), at: 4), time: 4, value: .number(1))
    #expect(names(store) == ["m0", "m2", "m3", "(more metrics)"])
    #expect(store.isKnown(first) && !store.isKnown(second))
    #expect(store.identity(of: second) == nil && store.tally(of: second).count == 0)
    store.record(store.series(for: identity(1), at: 5), time: 5, value: .number(1))
    #expect(names(store) == ["m0", "m1", "m3", "(more metrics)"])
    #expect(store.sharedSeries == 1)
  }

  @Test("what is older than all rows shares the last one at once, also when stores are merged")
  func older() {
    var store = SeriesStore(limits: .init(series: 2))
    for number in 0..<2 {
      store.record(store.series(for: identity(number)), time: 100, value: .number(1))
    }
    var past = SeriesStore(limits: .init(series: 2))
    for number in 1..<5 {
      let id = past.series(for: identity(number), at: Double(number))
      past.record(id, time: Double(number), value: .number(1))
    }
    store.merge(older: past)
    #expect(names(store) == ["m0", "m1", "(more metrics)"])
    #expect(store.sharedSeries == 3)
    #expect(store.allSeries.map { store.tally(of: $0).count }.reduce(0, +) == 6)
  }

  @Test("a row that was given to another series is never taken for the old one")
  func stale() {
    var store = SeriesStore(limits: .init(series: 1))
    let old = store.series(for: identity(0), at: 1)
    store.record(old, time: 1, value: .number(1))
    let new = store.series(for: identity(1), at: 2)
    #expect(old != new && old.index == new.index)
    store.record(old, time: 3, value: .number(1))
    #expect(store.tally(of: new).count == 0)
  }

  @Test("random histories keep every sample and the rows of the newest")
  func random() {
    var generator = SeededGenerator(seed: 11)
    var store = SeriesStore(limits: .init(rawSamples: 4000, series: 50))
    var last: [Int: Int] = [:]
    for time in 0..<20_000 {
      let number = Int.random(in: 0..<Int.random(in: 1...200, using: &generator), using: &generator)
      last[number] = time
      let id = store.series(for: identity(number), at: Double(time))
      store.record(id, time: Double(time), value: time % 7 == 0 ? .text("t\(time % 90)") : .number(1))
    }
    let newest = last.sorted { $0.value > $1.value }.prefix(50).map { "m\($0.key)" }
    #expect(names(store).subtracting(["(more metrics)"]) == Set(newest))
    #expect(store.allSeries.map { store.tally(of: $0).count }.reduce(0, +) == 20_000)
    #expect(store.sharedSeries == last.count - 50)
  }

  @Test("the fields of a struct are one metric")
  func fields() {
    var store = SeriesStore()
    for field in ["cpu", "disk"] {
      let series = SeriesIdentity(bucket: "b", name: "load", typeName: "Load", field: field)
      store.record(store.series(for: series), time: 1, value: .number(1))
    }
    #expect(store.metricCount == (1, true))
    #expect(store.metricCount(of: store.allSeries) == 1)
  }

  @Test("metrics are counted right while rows of fields and rows of their own come and go", arguments: 1...20)
  func counted(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var store = SeriesStore(limits: .init(series: 12))
    for time in 0..<400 {
      let field = ["cpu", "disk", nil].randomElement(using: &random) ?? nil
      let metric = SeriesIdentity(
        bucket: "b", name: "m\(Int.random(in: 0..<9, using: &random))", typeName: "Load", field: field)
      store.record(store.series(for: metric, at: Double(time)), time: Double(time), value: .number(1))
      let rows = store.allSeries.compactMap { store.identity(of: $0) }.filter { $0 != .overflow }
      let names = Set(rows.map(\.name))
      #expect(store.metricCount == (names.count + store.sharedSeries, rows.contains { $0.field != nil }))
      let own = store.allSeries.filter { store.identity(of: $0) != .overflow }
      #expect(store.metricCount(of: own) == names.count)
    }
  }
}
