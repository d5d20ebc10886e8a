import TestSupport
import Testing

@testable import Aggregation

@Suite("SeriesStore")
struct SeriesStoreTests {
  static let identity = SeriesIdentity(bucket: "b", name: "m", typeName: "Double")

  /// Everything kept in a plain list, to compare with.
  struct Model {
    var samples: [(time: Double, value: SeriesValue)] = []

    func inWindow(_ from: Double, _ to: Double) -> [SeriesValue] {
      samples.filter { $0.time >= from && $0.time <= to }.map(\.value)
    }
  }

  static func value(_ generator: inout SeededGenerator) -> SeriesValue {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .text(["wifi", "cell", "none"][Int.random(in: 0..<3, using: &generator)])
    case 3: return .number(Double.random(in: -8e307...8e307, using: &generator))
    default: return .number(Double.random(in: 0...500, using: &generator))
    }
  }

  @Test("percentiles of whole numbers are whole, however coarse the bins are")
  func wholeNumbers() {
    var generator = SeededGenerator(seed: 12)
    var store = SeriesStore()
    for (type, isWhole) in [("Int", true), ("Optional<UInt8>", true), ("Double", false)] {
      let id = store.series(for: SeriesIdentity(bucket: "b", name: "m", typeName: type))
      var numbers: [Double] = []
      for step in 0..<20_000 {
        numbers.append(Double(Int.random(in: 0...9, using: &generator)))
        store.record(id, time: Double(step) / 100, value: .number(numbers[step]))
      }
      let found = store.summary(of: id, from: 0, to: 1000, percentiles: [25, 50, 95]).quantiles.map(\.value)
      numbers.sort()
      let truth = [25.0, 50, 95].map { numbers[Quantile.rank(ofPercentile: $0, count: numbers.count) - 1] }
      #expect((found == truth) == isWhole, "\(type) \(found)")
    }
  }

  @Test("a window says what a plain list says", arguments: [1, 2, 3, 4, 5] as [UInt64])
  func againstList(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var store = SeriesStore()
    var model = Model()
    let id = store.series(for: Self.identity)
    for step in 0..<3000 {
      let late = Int.random(in: 0..<20, using: &generator) == 0
      let time = Double(step) - (late ? Double.random(in: 0...2000, using: &generator) : 0)
      let value = Self.value(&generator)
      store.record(id, time: time, value: value)
      model.samples.append((time, value))
    }
    for _ in 0..<50 {
      let a = Double.random(in: -2000...3000, using: &generator)
      let b = a + Double.random(in: 0...2000, using: &generator)
      check(store.summary(of: id, from: a, to: b, percentiles: [50, 90, 95, 99]), model.inWindow(a, b))
    }
  }

  func check(_ summary: SeriesSummary, _ values: [SeriesValue]) {
    let numbers = values.compactMap { if case .number(let value) = $0 { value } else { nil } }.sorted()
    #expect(summary.count == values.count)
    #expect(summary.isExact)
    #expect(summary.nulls == values.filter { $0 == .null }.count)
    #expect(summary.trues == values.filter { $0 == .bool(true) }.count)
    #expect(summary.falses == values.filter { $0 == .bool(false) }.count)
    #expect(summary.moments.count == numbers.count)
    for text in summary.texts { #expect(text.count == values.filter { $0 == .text(text.text) }.count) }
    guard let least = numbers.first, let most = numbers.last else { return }
    #expect(summary.moments.minimum == least && summary.moments.maximum == most)
    let wanted = [50.0, 90, 95, 99].map { numbers[Quantile.rank(ofPercentile: $0, count: numbers.count) - 1] }
    #expect(summary.quantiles.map(\.value) == wanted)
  }

  @Test("beyond the exact limit the percentiles come with bounds that hold the truth")
  func bounds() {
    var generator = SeededGenerator(seed: 9)
    var store = SeriesStore()
    let id = store.series(for: Self.identity)
    var numbers: [Double] = []
    for step in 0..<20_000 {
      let value = Double.random(in: -50...500, using: &generator)
      numbers.append(value)
      store.record(id, time: Double(step) / 100, value: .number(value))
    }
    let summary = store.summary(of: id, from: 0, to: 1000, percentiles: [1, 50, 95, 99.9])
    numbers.sort()
    #expect(!summary.isExact)
    #expect(summary.count == 20_000)
    for (percentile, quantile) in zip([1, 50, 95, 99.9], summary.quantiles) {
      let truth = numbers[Quantile.rank(ofPercentile: percentile, count: numbers.count) - 1]
      #expect(quantile.lower <= truth && truth <= quantile.upper, "p\(percentile)")
      #expect(abs(quantile.value - truth) <= 0.032 * abs(truth), "p\(percentile)")
    }
  }

  @Test("what leaves the raw samples is still counted, with its sum, extremes and bounds")
  func rollups() {
    var generator = SeededGenerator(seed: 4)
    var store = SeriesStore(limits: .init(rawSamples: 2000))
    let id = store.series(for: Self.identity)
    var numbers: [Double] = []
    for step in 0..<50_000 {
      numbers.append(Double.random(in: 1...1000, using: &generator))
      store.record(id, time: Double(step), value: .number(numbers[step]))
    }
    #expect(store.rawCount <= 2000)
    #expect(store.rawCount + store.rolledUp == 50_000)
    let summary = store.summary(of: id, from: 0, to: 50_000, percentiles: [50, 95])
    #expect(summary.count == 50_000)
    #expect(!summary.isExact)
    #expect(summary.last == numbers.last)
    numbers.sort()
    #expect(summary.moments.minimum == numbers.first && summary.moments.maximum == numbers.last)
    for (percentile, quantile) in zip([50.0, 95], summary.quantiles) {
      let truth = numbers[Quantile.rank(ofPercentile: percentile, count: numbers.count) - 1]
      #expect(quantile.lower <= truth && truth <= quantile.upper)
    }
    #expect(store.columns(of: id, from: 0, to: 50_000, count: 40).allSatisfy { $0 != nil })
  }

  @Test("a rollup does not depend on the order of its samples, nor on how it was cut", arguments: [1, 2, 3])
  func merging(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let limits = Rollup.Limits(slots: 16, bins: 12)
    var samples = (0..<2000).map { _ in
      RawSample(
        time: Double.random(in: -1e6...1e6, using: &generator),
        content: .number(Double.random(in: -1e3...1e6, using: &generator)))
    }
    var whole = Rollup()
    for sample in samples { whole.record(sample, limits: limits) }
    samples.shuffle(using: &generator)
    var (left, right) = (Rollup(), Rollup())
    for sample in samples[..<700] { left.record(sample, limits: limits) }
    for sample in samples[700...] { right.record(sample, limits: limits) }
    left.merge(right, limits: limits)
    #expect(left.slots.map(\.key) == whole.slots.map(\.key))
    #expect(left.step == whole.step)
    #expect(left.slots.count <= 16)
    for (one, other) in zip(left.slots, whole.slots) {
      #expect(one.digest.sketch == other.digest.sketch)
      #expect(one.digest.count == other.digest.count)
      #expect(one.digest.moments.minimum == other.digest.moments.minimum)
      #expect(one.digest.moments.maximum == other.digest.moments.maximum)
      #expect(one.digest.lastNumber == other.digest.lastNumber)
      #expect(abs(one.digest.moments.total - other.digest.moments.total) < 1e-3)
    }
  }

  @Test("a store read beside this one merges to what one store would hold", arguments: [100_000, 3000])
  func mergingStores(budget: Int) {
    var generator = SeededGenerator(seed: 11)
    let samples = (0..<9000).map { step in (time: Double(step), value: Self.value(&generator)) }
    let limits = SeriesStore.Limits(rawSamples: budget)
    var (whole, older, newer) = (
      SeriesStore(limits: limits), SeriesStore(limits: limits), SeriesStore(limits: limits)
    )
    let other = newer.series(for: SeriesIdentity(bucket: nil, name: "other", typeName: "Int"))
    newer.record(other, time: 1, value: .number(1))
    for (step, sample) in samples.enumerated() {
      let id = whole.series(for: Self.identity)
      whole.record(id, time: sample.time, value: sample.value)
      if step < 5000 {
        older.record(older.series(for: Self.identity), time: sample.time, value: sample.value)
      } else {
        newer.record(newer.series(for: Self.identity), time: sample.time, value: sample.value)
      }
    }
    newer.merge(older: older)
    let id = newer.series(for: Self.identity)
    let merged = newer.summary(of: id, from: 0, to: 9000)
    let wanted = whole.summary(of: whole.series(for: Self.identity), from: 0, to: 9000)
    #expect(merged.count == 9000 && wanted.count == 9000)
    #expect(merged.texts == wanted.texts)
    #expect(merged.nulls == wanted.nulls && merged.trues == wanted.trues)
    #expect(merged.moments.minimum == wanted.moments.minimum)
    #expect(merged.moments.maximum == wanted.moments.maximum)
    #expect(newer.rawCount <= budget)
    #expect(newer.recorded == 9001)
    #expect(newer.tally(of: id) == whole.tally(of: whole.series(for: Self.identity)))
  }

  @Test("a clock that jumps by years both ways costs no resolution of the rest")
  func clockJumps() {
    var store = SeriesStore(limits: .init(rawSamples: 256))
    let id = store.series(for: Self.identity)
    for step in 0..<1000 { store.record(id, time: 8e8 + Double(step), value: .number(1)) }
    store.record(id, time: -8e8, value: .number(2))
    store.record(id, time: 9e9, value: .number(3))
    store.record(id, time: .infinity, value: .number(4))
    store.record(id, time: -.greatestFiniteMagnitude, value: .number(5))
    for step in 1000..<2000 { store.record(id, time: 8e8 + Double(step), value: .number(1)) }
    let columns = store.columns(of: id, from: 8e8, to: 8e8 + 2000, count: 20)
    #expect(columns.compactMap { $0 }.count == 20)
    #expect(store.summary(of: id, from: -1e13, to: 1e13).count == 2004)
  }

  @Test("a copy is a snapshot that later records do not change")
  func snapshots() {
    var store = SeriesStore()
    let id = store.series(for: Self.identity)
    for step in 0..<1000 { store.record(id, time: Double(step), value: .number(1)) }
    let snapshot = store
    for step in 0..<1000 { store.record(id, time: 500, value: .number(Double(step))) }
    #expect(snapshot.summary(of: id, from: 0, to: 1000).count == 1000)
    #expect(snapshot.summary(of: id, from: 0, to: 1000).moments.maximum == 1)
    #expect(store.summary(of: id, from: 0, to: 1000).count == 2000)
  }

  @Test("memory stays bounded whatever the number of series")
  func boundedRaw() {
    var store = SeriesStore(limits: .init(rawSamples: 20_000))
    for number in 0..<500 {
      let id = store.series(for: SeriesIdentity(bucket: "b", name: "m\(number)", typeName: "Int"))
      for step in 0..<200 { store.record(id, time: Double(step), value: .number(1)) }
    }
    #expect(store.rawCount <= 20_000)
    #expect(store.recorded == 100_000)
    let counts = store.allSeries.map { store.summary(of: $0, from: 0, to: 200).count }
    #expect(counts.allSatisfy { $0 == 200 })
  }

  @Test("unique texts share one row beyond the limit, and long ones are cut")
  func texts() {
    var store = SeriesStore()
    let id = store.series(for: Self.identity)
    for step in 0..<200 { store.record(id, time: Double(step), value: .text("id-\(step)")) }
    let texts = store.summary(of: id, from: 0, to: 200).texts
    #expect(texts.count == 65)
    #expect(texts.first == TextShare(text: "(other)", count: 136, share: 0.68))
    store.record(id, time: 0, value: .text(String(repeating: "x", count: 1000)))
    #expect(store.samples(of: id, from: 0, to: 0, limit: 9).map(\.value).contains(.text("id-0")))
  }

  @Test("nulls are counted and never drawn as zero")
  func nulls() {
    var store = SeriesStore()
    let id = store.series(for: Self.identity)
    store.record(id, time: 1, value: .null)
    store.record(id, time: 2, value: .number(.nan))
    let summary = store.summary(of: id, from: 0, to: 9, percentiles: [50])
    #expect(summary.nulls == 2 && summary.moments.count == 0 && summary.quantiles.isEmpty)
    let columns = store.columns(of: id, from: 0, to: 9, count: 3)
    #expect(columns.allSatisfy { $0?.mean == nil })
  }

  @Test("the typical interval is the one that nine of ten keep")
  func interval() throws {
    var store = SeriesStore()
    let id = store.series(for: Self.identity)
    for step in 0..<8 { store.record(id, time: Double(step) * 10, value: .number(1)) }
    #expect(store.typicalInterval(of: id) == nil)
    for step in 8..<40 { store.record(id, time: Double(step) * 10, value: .number(1)) }
    #expect(store.typicalInterval(of: id) == 10)
  }

  @Test("columns agree with a plain list", arguments: [1, 2, 3] as [UInt64])
  func columns(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var store = SeriesStore()
    let id = store.series(for: Self.identity)
    var samples: [(time: Double, value: Double)] = []
    for _ in 0..<2000 {
      let sample = (
        time: Double.random(in: 0..<100, using: &generator),
        value: Double.random(in: 0...9, using: &generator)
      )
      samples.append(sample)
      store.record(id, time: sample.time, value: .number(sample.value))
    }
    for (index, column) in store.columns(of: id, from: 10, to: 90, count: 40).enumerated() {
      let left = 10 + 2 * Double(index)
      let inside = samples.filter { $0.time >= left && $0.time < left + 2 }
      #expect(column?.count == (inside.isEmpty ? nil : inside.count))
      #expect(column?.minimum == inside.map(\.value).min())
      #expect(column?.maximum == inside.map(\.value).max())
      #expect(column?.last == inside.max { $0.time < $1.time }?.value)
    }
  }

  @Test("the density of all input is exact in sum and bounded in size")
  func density() {
    var store = SeriesStore()
    let id = store.series(for: Self.identity)
    for step in 0..<5000 { store.record(id, time: Double(step), value: .null) }
    let counts = store.density.counts(from: 0, to: 5120, columns: 10)
    #expect(abs(counts.reduce(0, +) - 5000) < 1e-6)
    #expect(counts.first == 512)
  }
}
