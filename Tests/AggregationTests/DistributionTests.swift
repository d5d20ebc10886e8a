import Foundation
import TestSupport
import Testing

@testable import Aggregation

@Suite("Distribution")
struct DistributionTests {
  static let sets: [(name: String, values: [Double])] = [
    ("small whole numbers", [1, 2, 3, 4, 5]),
    ("a constant", Array(repeating: 0.1, count: 1000)),
    ("negatives and zeros", [-3, -2, -1, 0, 0, -0.0, 1, 2]),
    ("huge values of both signs", [1e300, -1e300, 1e308, 1.7e308, -1.7e308, 5]),
    ("tiny values", [1e-300, 2e-300, 3e-300, 4e-300]),
    ("tiny and huge", [1e-300, 1e300, 0, -1e-300]),
    ("the limits of Int64", [Double(Int64.max), Double(Int64.min), 0]),
    ("a large offset", (0..<1000).map { 1e9 + Double($0 % 3) }),
    ("an outlier first", [0] + (0..<1000).map { 1e9 + Double($0 % 3) }),
    ("log-normal", logNormal(count: 5000, seed: 7)),
  ]

  /// Values below 2.2e-308, which lack the exponent that names a bin, more of them than are kept one by one.
  static let subnormal: [(name: String, values: [Double])] = [
    ("the least above zero", (1...300).map { Double($0) * .leastNonzeroMagnitude }),
    ("around the least of full precision", (1...300).map { Double($0) * .leastNormalMagnitude / 150 }),
    ("without full precision, of both signs", (-200...200).map { Double($0) * .leastNormalMagnitude / 256 }),
  ]

  static func logNormal(count: Int, seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let sum = (0..<12).reduce(-6.0) { total, _ in total + Double.random(in: 0..<1, using: &generator) }
      return 120 * exp(0.7 * sum)
    }
  }

  private func distribution(_ values: [Double], keepingUpTo limit: Int = .max) -> Distribution {
    values.reduce(into: Distribution()) {
      $0.record($1)
      if $0.keptCount > limit { $0.giveUpValues() }
    }
  }

  private func isClose(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool {
    a == b || abs(a - b) <= tolerance * max(abs(a), abs(b))
  }

  @Test("counts and extremes are exact", arguments: sets)
  func extremes(set: (name: String, values: [Double])) {
    let moments = distribution(set.values).moments
    #expect(moments.count == set.values.count)
    #expect(moments.minimum == set.values.min())
    #expect(moments.maximum == set.values.max())
  }

  @Test("the mean agrees with an exact sum to 1e-12", arguments: sets)
  func mean(set: (name: String, values: [Double])) throws {
    // Pairwise sums of halves keep the reference itself exact enough and inside the range.
    func sum(_ values: ArraySlice<Double>) -> Double {
      guard values.count > 2 else { return values.reduce(0, +) }
      let middle = values.startIndex + values.count / 2
      return sum(values[..<middle]) + sum(values[middle...])
    }
    let ordered = set.values.map { $0 / Double(set.values.count) }.sorted { abs($0) < abs($1) }
    let mean = try #require(distribution(set.values).moments.mean)
    let scale = set.values.map(abs).max() ?? 0
    #expect(abs(mean - sum(ordered[...])) <= 1e-12 * scale)
  }

  @Test("a sum that cancels keeps what is left")
  func cancellation() {
    #expect(distribution([1e16, 1, -1e16]).moments.total == 1)
    #expect(distribution([1e300, 3, -1e300]).moments.mean == 1)
  }

  @Test("the spread agrees with two passes over the values", arguments: sets)
  func spread(set: (name: String, values: [Double])) throws {
    let unit = set.values.map(abs).max() ?? 1
    let scaled = set.values.map { unit > 0 ? $0 / unit : 0 }
    let mean = scaled.reduce(0, +) / Double(scaled.count)
    let variance = scaled.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(scaled.count)
    let spread = try #require(distribution(set.values).moments.standardDeviation)
    #expect(abs(spread / max(unit, .leastNormalMagnitude) - variance.squareRoot()) < 1e-9)
  }

  @Test(
    "percentiles are within 0.8 % of the nearest rank and inside their bounds", arguments: sets + subnormal)
  func percentiles(set: (name: String, values: [Double])) throws {
    let sorted = set.values.sorted()
    let (exact, distribution) = (distribution(set.values), distribution(set.values, keepingUpTo: 2))
    #expect(exact.percentileError == 0 && distribution.percentileError == LogHistogram.relativeError)
    for percentile in [0.0, 1, 25, 50, 75, 90, 95, 99, 99.9, 100] {
      let rank = Quantile.rank(ofPercentile: percentile, count: sorted.count)
      let truth = sorted[rank - 1]
      let quantile = try #require(distribution.value(atPercentile: percentile))
      #expect(isClose(quantile.value, truth, 0.008), "p\(percentile): \(quantile.value) for \(truth)")
      #expect(quantile.lower <= truth && truth <= quantile.upper)
      #expect(exact.value(atPercentile: percentile) == Quantile(exact: truth))
    }
  }

  @Test("merging parts equals recording the whole", arguments: sets, [1, 2, 3])
  func merging(set: (name: String, values: [Double]), cut: Int) throws {
    var left = distribution(Array(set.values.prefix(set.values.count * cut / 4)))
    left.merge(distribution(Array(set.values.dropFirst(set.values.count * cut / 4))))
    let whole = distribution(set.values)
    let percentiles = [0.0, 25, 50, 75, 90, 99, 100]
    #expect(left.values(atPercentiles: percentiles) == whole.values(atPercentiles: percentiles))
    #expect(left.moments.count == whole.moments.count)
    #expect(left.moments.minimum == whole.moments.minimum)
    #expect(left.moments.maximum == whole.moments.maximum)
    let unit = max(abs(whole.moments.minimum), abs(whole.moments.maximum))
    let means = (try #require(left.moments.mean), try #require(whole.moments.mean))
    #expect(abs(means.0 / 2 - means.1 / 2) <= 1e-12 * unit)
    let spreads = (
      try #require(left.moments.standardDeviation), try #require(whole.moments.standardDeviation)
    )
    #expect(abs(spreads.0 - spreads.1) <= 1e-9 * unit)
  }

  @Test("parts that keep their values and parts that do not merge to the same counts")
  func mixedMerging() {
    let values = Self.logNormal(count: 900, seed: 3)
    let whole = distribution(values, keepingUpTo: 0)
    for limits in [(0, Int.max), (Int.max, 0), (0, 0)] {
      var left = distribution(Array(values.prefix(400)), keepingUpTo: limits.0)
      left.merge(distribution(Array(values.dropFirst(400)), keepingUpTo: limits.1))
      #expect(
        !left.isExact && left.values(atPercentiles: [5, 50, 95]) == whole.values(atPercentiles: [5, 50, 95]))
    }
  }

  @Test("whole numbers have whole percentiles, exact ones as long as they are kept")
  func wholeNumbers() {
    let values = (0..<100).map(Double.init)
    #expect(distribution(values).values(atPercentiles: [50, 90, 99]).map(\.value) == [49, 89, 98])
    let rough = distribution(values, keepingUpTo: 10).values(atPercentiles: [50, 90, 99])
    #expect(rough.map(\.value) == [49, 90, 99])
  }

  @Test("percentiles of many values are those of the sorted list", arguments: [0, 1, 2, 3, 4])
  func many(shape: Int) {
    var random = SplitMix64(seed: UInt64(shape))
    let values = (0..<40_000).map { _ -> Double in
      switch shape {
      case 0: 100 * exp(random.normal())
      case 1: random.normal() * 1e300
      case 2: Double(random.next() % 3) - 1
      case 3: 7
      default: Double(bitPattern: random.next() % (0x7FF0 << 48)) * (random.next() % 2 == 0 ? -1 : 1)
      }
    }
    let sorted = values.sorted()
    let percentiles = [0.0, 0.1, 25, 50, 90, 90, 99.99, 100]
    let expected = percentiles.map { sorted[Quantile.rank(ofPercentile: $0, count: sorted.count) - 1] }
    #expect(distribution(values).values(atPercentiles: percentiles).map(\.value) == expected)
  }

  @Test("nothing recorded has no mean, no spread and no percentile")
  func empty() {
    let empty = Distribution()
    #expect(empty.moments.mean == nil)
    #expect(empty.moments.standardDeviation == nil)
    #expect(empty.value(atPercentile: 50) == nil)
  }

  @Test(
    "the nearest rank is the ceiling of q times n",
    arguments: [(50.0, 10, 5), (95, 20, 19), (95, 100, 95), (99, 100, 99), (0, 5, 1), (100, 5, 5), (1, 3, 1)])
  func rank(percentile: Double, count: Int, rank: Int) {
    #expect(Quantile.rank(ofPercentile: percentile, count: count) == rank)
  }
}
