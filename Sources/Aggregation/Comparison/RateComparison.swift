/// A comparison of how often something happens on two sides: counts over device-days or hours of use rather than bare counts.
///
/// If nothing differs, each device-day could as well belong to the other side. So the surplus of each day over the
/// common rate of both sides is permuted, which reflects how much days naturally vary; a Poisson distribution would not.
package struct RateComparison: Sendable, Equatable {
  /// A count over some exposure.
  package struct Tally: Hashable, Sendable {
    package let count: Double
    /// Duration in days or hours, above zero.
    package let exposure: Double

    package init(count: Double, exposure: Double = 1) {
      (self.count, self.exposure) = (count, exposure)
    }
  }

  /// The conclusion; a rate has no tail.
  package private(set) var verdict = ComparisonVerdict.tooFew

  /// Minimum number of tallies on each side.
  package static let needed = 5

  /// - Parameters:
  ///   - first: the tallies of the earlier side.
  ///   - second: the tallies of the later side.
  ///   - keys: the owner of each tally on both sides, in the same order; one list per field that names owners.
  package init(
    _ first: [Tally], _ second: [Tally], keys: [(first: [String], second: [String])] = [],
    precision: TestPrecision = .page, seed: UInt64 = SideComparison.defaultSeed
  ) {
    let sums = [first, second].map { tallies in
      tallies.reduce(into: (count: 0.0, exposure: 0.0)) { sum, tally in
        sum.count += tally.count
        sum.exposure += tally.exposure
      }
    }
    let rates = sums.map { $0.exposure > 0 ? $0.count / $0.exposure : 0 }
    let (count, exposure) = (sums[0].count + sums[1].count, sums[0].exposure + sums[1].exposure)
    guard min(first.count, second.count) >= Self.needed, exposure > 0, count.isFinite, exposure.isFinite
    else { return }
    let surplus = { (tally: Tally) in
      RankScores.Scores(tally.count - tally.exposure * (count / exposure), 0, 0, 0)
    }
    let random = ResamplingRandom(seed: seed)
    var found = [
      PermutationTest(Self.classes(first, second, surplus), precision: precision, random: random)
        .outcome.probabilities[0]
    ]
    for keys in keys {
      var cells = zip(keys.first, first).map {
        SideCell(key: $0, isSecond: false, count: $1.exposure, sum: surplus($1))
      }
      cells += zip(keys.second, second).map {
        SideCell(key: $0, isSecond: true, count: $1.exposure, sum: surplus($1))
      }
      found.append(
        SignFlipTest(SideCell.units(of: cells), precision: precision, random: random).outcome.probabilities[0]
      )
    }
    let probability = found.max() ?? 1
    let isFound = probability <= FalseDiscoveries.rate
    let move = rates[1] > rates[0] ? ComparisonVerdict.Move.up : .down
    verdict = ComparisonVerdict(finding: isFound ? .middle(move) : .noDifference, probability: probability)
  }

  private static func classes(
    _ first: [Tally], _ second: [Tally], _ surplus: (Tally) -> RankScores.Scores
  ) -> [PermutationTest.Class] {
    var sizes: [Tally: (all: Double, second: Double)] = [:]
    for tally in first { sizes[tally, default: (0, 0)].all += 1 }
    for tally in second {
      sizes[tally, default: (0, 0)].all += 1
      sizes[tally, default: (0, 0)].second += 1
    }
    // In a fixed order, so that permutations are reproducible.
    return sizes.sorted { ($0.key.count, $0.key.exposure) < ($1.key.count, $1.key.exposure) }.map {
      PermutationTest.Class(size: $0.value.all, inSecond: $0.value.second, scores: surplus($0.key))
    }
  }
}
