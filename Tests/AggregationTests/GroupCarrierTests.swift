import Testing

@testable import Aggregation

@Suite("The group that carries a change")
struct GroupCarrierTests {
  /// Days of five groups, of which some have another level on the later side.
  private func days(_ factors: [Double], count: Int = 40, seed: UInt64) -> [GroupCarrier.Day] {
    var random = SplitMix64(seed: seed)
    return factors.enumerated().flatMap { group, factor in
      (0..<count).map { _ in (group: group, value: 500 * factor * (1 + 0.2 * random.normal().magnitude)) }
    }
  }

  private let same = [1.0, 1, 1, 1, 1]

  @Test("the only one of five that rose is named with its change")
  func one() throws {
    let found = try #require(
      GroupCarrier(
        a: days([1, 1.4, 1, 1, 1], seed: 1), b: days(same, seed: 2), groups: 5))
    #expect(found.group == 1 && found.count == 5 && abs(found.change - 0.4) < 0.05)
    #expect(found.probability < 1e-9)
  }

  @Test("no group is named where all rose, where none did, and where there is only one")
  func none() {
    let before = days(same, seed: 2)
    #expect(
      GroupCarrier(a: days([1.4, 1.4, 1.4, 1.4, 1.4], seed: 1), b: before, groups: 5) == nil)
    #expect(GroupCarrier(a: days(same, seed: 3), b: before, groups: 5) == nil)
    #expect(GroupCarrier(a: days([2], seed: 1), b: days([1], seed: 2), groups: 1) == nil)
    #expect(
      GroupCarrier(
        a: days([3, 1], count: 4, seed: 1), b: days([1, 1], count: 4, seed: 2), groups: 2)
        == nil)
  }

  @Test("chance alone names a group of an unchanged figure as seldom as its probability says")
  func chance() {
    let named = (0..<4000).count { seed in
      let seed = UInt64(seed) * 2
      return GroupCarrier(
        a: days(same, count: 12, seed: seed + 10), b: days(same, count: 12, seed: seed + 11), groups: 5)
        != nil
    }
    // Five groups beyond 3.3 standard errors: 0.5 % at most.
    #expect(named <= 20 + 13)
  }

  @Test("hostile numbers name nothing", arguments: [Double.nan, .infinity, 1e308, -1e308, 0])
  func hostile(value: Double) {
    let odd = (0..<40).map { (group: $0 % 3 - 1, value: $0 % 2 == 0 ? value : 1) }
    #expect(GroupCarrier(a: odd, b: odd.reversed(), groups: 2) == nil)
  }

  @Test(
    "the bounds of a count are those of the exact limits, within two percent",
    arguments: [
      (0.0, 0.0, 3.689), (1, 0.025, 5.572), (5, 1.623, 11.668), (30, 20.24, 42.83), (100, 81.36, 121.63),
    ])
  func bounds(count: Double, lower: Double, upper: Double) {
    let found = CountBounds(count)
    #expect(abs(found.lower - lower) <= 0.02 * max(1, lower) && abs(found.upper - upper) <= 0.02 * upper)
    #expect(CountBounds(count, independent: 0.5 * count).upper >= found.upper)
  }
}
