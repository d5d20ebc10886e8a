import TestSupport
import Testing

@testable import Aggregation

@Suite("Numbers that are kept one by one")
struct KeptValuesTests {
  static let chunk = KeptValues.chunkCount
  static let sets: [(name: String, values: [Double])] = [
    ("none", []),
    ("fewer than a chunk", (0..<10).map(Double.init)),
    ("a chunk of whole numbers", (0..<chunk).map(Double.init)),
    ("the limits of 32 bits", (0..<chunk).map { $0 % 2 == 0 ? -0x1p31 : 0x1p31 - 1 }),
    ("one behind the limits of 32 bits", (0..<chunk).map { $0 % 2 == 0 ? -0x1p31 - 1 : 0x1p31 }),
    ("a negative zero among whole numbers", (0..<chunk).map { $0 == 7 ? -0.0 : Double($0) }),
    ("no numbers, and without end", (0..<chunk).map { [.nan, .infinity, -.infinity][$0 % 3] }),
    ("whole and others, by chunks", (0..<5 * chunk + 3).map { Double($0) / Double($0 / chunk % 2 + 1) }),
    ("log-normal", DistributionTests.logNormal(count: 3 * chunk, seed: 11)),
  ]

  private func kept(_ values: some Sequence<Double>) -> KeptValues {
    values.reduce(into: KeptValues()) { $0.append($1) }
  }

  @Test("come back bit for bit, in their order", arguments: sets)
  func same(set: (name: String, values: [Double])) {
    let kept = kept(set.values)
    #expect(kept.count == set.values.count)
    #expect(kept.all.map(\.bitPattern) == set.values.map(\.bitPattern))
  }

  @Test("are the same numbers after those of another are taken in", arguments: sets)
  func joined(set: (name: String, values: [Double])) {
    for first in [0, 1, Self.chunk - 1, Self.chunk, Self.chunk + 1] {
      var one = kept((0..<first).map { Double($0) / 4 })
      one.append(kept(set.values))
      one.append(3)
      let expected = (0..<first).map { Double($0) / 4 } + set.values + [3]
      #expect(one.count == expected.count)
      #expect(one.all.map(\.bitPattern).sorted() == expected.map(\.bitPattern).sorted())
    }
  }

  @Test(
    "have the percentiles of the sorted numbers, be they few or many", arguments: [9, 16_384, 16_389, 50_000])
  func percentiles(count: Int) throws {
    for values in [
      DistributionTests.logNormal(count: count, seed: 3), (0..<count).map { Double($0 * 7919 % count) },
    ] {
      let sorted = values.sorted()
      let percentiles = [1.0, 50, 90, 99, 100]
      let found = Selection.nearestRanks(percentiles, of: kept(values))
      #expect(found == percentiles.map { sorted[Quantile.rank(ofPercentile: $0, count: count) - 1] })
    }
  }
}
