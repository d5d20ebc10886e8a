import Aggregation
import Foundation
import History
import Platform
import TestSupport
import Testing

/// The index against a look at every sample.
@Suite struct SumTests {
  private struct Truth {
    var count = 0
    var numbers: [Double] = []
    var texts: [String: Int] = [:]
  }

  private static func truth(
    _ samples: [PlainSample], in window: Range<Timestamp>
  ) -> [SeriesIdentity: Truth] {
    var found: [SeriesIdentity: Truth] = [:]
    for sample in samples where window.contains(sample.time) {
      found[sample.identity, default: Truth()].count += 1
      switch sample.value {
      case .number(let number): found[sample.identity, default: Truth()].numbers.append(number)
      case .text(let text): found[sample.identity, default: Truth()].texts[text, default: 0] += 1
      case .bool(let claim):
        found[sample.identity, default: Truth()].texts[claim ? "true" : "false", default: 0] += 1
      case .null: break
      }
    }
    return found
  }

  /// Windows that cut blocks and slots anywhere, some at samples' very times.
  private static func windows(
    _ samples: [PlainSample], _ generator: inout SeededGenerator
  ) -> [Range<Timestamp>] {
    let times = samples.map(\.time)
    guard let first = times.min(), let last = times.max() else { return [Timestamp(0)..<Timestamp(1)] }
    let reach = max(1, last - first)
    var windows = [first..<last.nextUp, .allTime, first..<last, last..<last.nextUp]
    for _ in 0..<12 {
      let ends = (0..<2).map { _ in
        Bool.random(using: &generator)
          ? times[Int.random(in: 0..<times.count, using: &generator)]
          : first + Double.random(in: -reach / 10...1.1 * reach, using: &generator)
      }.sorted()
      windows.append(ends[0]..<ends[1])
    }
    return windows.filter { !$0.isEmpty }
  }

  @Test(arguments: HistoryMaker.Disorder.allCases, [1, 2, 3] as [UInt64])
  func `sums of any window are those of a full scan`(_ disorder: HistoryMaker.Disorder, _ seed: UInt64) throws
  {
    var maker = HistoryMaker(seed: seed)
    maker.fill(disorder, count: [1, 700, 2500][Int(seed) - 1])
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(maker.text)])
    for window in Self.windows(maker.samples, &maker.generator) {
      try Self.compare(maintainer.history, with: maker.samples, in: window)
    }
  }

  @Test func `files that lie beside each other in time are one history`() throws {
    var (old, new) = (HistoryMaker(seed: 5), HistoryMaker(seed: 6))
    old.fill(.none, count: 800)
    new.fill(.none, count: 900)
    let maintainer = try IndexMaintainer.indexed([MemoryBytes(old.text), MemoryBytes(new.text)])
    for window in Self.windows(old.samples + new.samples, &old.generator) {
      try Self.compare(maintainer.history, with: old.samples + new.samples, in: window)
    }
  }

  @Test func `no sample, no sum`() throws {
    let maintainer = try IndexMaintainer.indexed([MemoryBytes("")])
    #expect(try maintainer.history.range() == nil)
    #expect(try maintainer.history.sums(in: Timestamp(0)..<Timestamp(1), .all).series.isEmpty)
  }

  private static func compare(
    _ history: HistoryStore, with samples: [PlainSample], in window: Range<Timestamp>
  ) throws {
    let truth = truth(samples, in: window)
    let all = try history.sums(in: window, .all)
    #expect(all.series.filter { $0.value.cell.count > 0 }.count == truth.count, "\(window)")
    for (identity, expected) in truth {
      let sum = try history.sums(in: window, .one(identity))[identity]
      #expect(sum.cell.count == expected.count, "\(identity.label) in \(window)")
      #expect(all[identity].cell.count == expected.count)
      for (text, count) in expected.texts { #expect(sum.count(of: text) == count) }
      guard let least = expected.numbers.min(), let most = expected.numbers.max() else { continue }
      #expect(sum.cell.minimum == least)
      #expect(sum.cell.maximum == most)
      let mean = expected.numbers.reduce(0, +) / Double(expected.numbers.count)
      #expect(abs((sum.cell.mean ?? .nan) - mean) <= 1e-12 * max(1, abs(mean)))
      let sorted = expected.numbers.sorted()
      for (percentile, quantile) in zip([50.0, 95, 99], sum.cell.quantiles([50, 95, 99])) {
        let exact = sorted[Quantile.rank(ofPercentile: percentile, count: sorted.count) - 1]
        #expect(quantile.lower <= exact && exact <= quantile.upper, "p\(percentile) of \(window)")
      }
    }
  }
}
