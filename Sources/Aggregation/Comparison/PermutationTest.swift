/// The findings of a test of several statistics.
package struct TestOutcome: Sendable {
  /// For each statistic its distance from its mean, in standard deviations, times its weight; above zero if the second side
  /// has more.
  let statistics: RankScores.Scores
  /// For each statistic how probable it is that some statistic gets as far by chance alone.
  let probabilities: RankScores.Scores
}

/// Counts how often chance gets as far as each of several statistics, until it is known which of them are rare.
///
/// Each is compared with the largest that any of them reaches by chance (Westfall and Young's max-T; what is weighted
/// more is found more easily, at the cost of the others): however the statistics depend on each other, the chance that
/// one of them is found is that of a single test.
struct ChanceCount {
  private let observed: RankScores.Scores
  private let precision: TestPrecision
  private let rounds: Int
  private var exceeded = [Int](repeating: 0, count: RankScores.Scores.scalarCount)
  private var dealings = 0

  /// Number of permutations reaching every statistic that suffices to know that none of them is rare.
  private static let plenty = 20

  /// - Parameter size: how much is dealt out at a time: one test takes a bounded time.
  init(_ observed: RankScores.Scores, size: Int, precision: TestPrecision) {
    (self.observed, self.precision) = (observed, precision)
    rounds = max(precision.least, min(1999, 1_000_000 / max(1, size)))
  }

  /// True if of each statistic it is known if it is rare.
  var isDone: Bool {
    dealings >= rounds
      || exceeded.allSatisfy { $0 >= Self.plenty || dealings >= precision.enough && $0 <= precision.few }
  }

  mutating func take(_ largest: Double) {
    dealings += 1
    // Values that are the same but for rounding are as far.
    for index in exceeded.indices where largest >= observed[index].magnitude * (1 - 1e-9) {
      exceeded[index] += 1
    }
  }

  var outcome: TestOutcome {
    var probabilities = RankScores.Scores.zero
    for index in exceeded.indices {
      probabilities[index] = Double(exceeded[index] + 1) / Double(dealings + 1)
    }
    return TestOutcome(statistics: observed, probabilities: probabilities)
  }
}

/// How rare a thing must be to be known as that.
package enum TestPrecision: Sendable {
  /// One comparison that is looked at alone.
  case single
  /// One of a page of them, of which the rarest must stand against all.
  case page

  /// Permutations after which a statistic that at most ``few`` of them reached is known to be rare.
  fileprivate var enough: Int { self == .single ? 499 : 999 }
  fileprivate var few: Int { self == .single ? 2 : 0 }
  /// Minimum number of permutations.
  fileprivate var least: Int { self == .single ? 199 : 999 }
}

/// A permutation test of several statistics at once, over things that are drawn in classes.
///
/// Each thing (a sample, or a device-day) has some scores; a statistic is the sum of one score over the things of one
/// side. If both sides are of one population, every way to deal the things out to them is as likely. So they are dealt
/// again many times.
struct PermutationTest {
  /// Things with the same scores.
  struct Class {
    /// How many there are in both sides.
    var size: Double
    /// How many of them are in the second side.
    var inSecond: Double
    /// The scores of each.
    var scores: RankScores.Scores
  }

  let outcome: TestOutcome

  init(_ classes: [Class], precision: TestPrecision, random: ResamplingRandom) {
    let dealer = Dealer(classes)
    var count = ChanceCount(
      dealer.statistics(of: classes.map(\.inSecond)), size: classes.count, precision: precision)
    var random = random
    while !count.isDone { count.take(dealer.largest(&random)) }
    outcome = count.outcome
  }
}

/// Deals classes of things out to two sides.
private struct Dealer {
  private let sizes: [Double]
  /// The scores of each class less their mean.
  private let scores: [RankScores.Scores]
  private let all: Double
  private let drawn: Double
  /// The factors that make sums over the second side numbers of standard deviations.
  private let factors: RankScores.Scores

  init(_ classes: [PermutationTest.Class]) {
    let sizes = classes.map(\.size)
    let all = sizes.reduce(0, +)
    let second = classes.reduce(0) { $0 + $1.inSecond }
    let mean = classes.reduce(RankScores.Scores.zero) { $0 + $1.scores * ($1.size / all) }
    let centred = classes.map { $0.scores - mean }
    // Σ(s - s̄)²·n₁·n₂ / (N·(N - 1)), the variance of a sum of n₂ of N things drawn without putting back.
    let squares = zip(centred, sizes).reduce(RankScores.Scores.zero) { $0 + $1.0 * $1.0 * $1.1 }
    factors = RankScores.factors(variance: squares / max(1, all - 1) * (second * ((all - second) / all)))
    (self.sizes, self.all, scores) = (sizes, all, centred)
    // The smaller side is the one to draw.
    drawn = second > all / 2 ? all - second : second
  }

  /// The statistics of a second side with these numbers of members in each class.
  func statistics(of members: [Double]) -> RankScores.Scores {
    zip(members, scores).reduce(.zero) { $0 + $1.1 * $1.0 } * factors
  }

  /// The largest magnitude of a statistic in one random permutation.
  func largest(_ random: inout ResamplingRandom) -> Double {
    var (left, of, sums) = (drawn, all, RankScores.Scores.zero)
    for place in sizes.indices {
      guard left > 0 else { break }
      let members = random.members(of: sizes[place], drawing: left, of: of)
      of -= sizes[place]
      left -= members
      sums += scores[place] * members
    }
    return (sums * factors).largestMagnitude
  }
}

extension RankScores {
  /// The factors that make sums of that variance numbers of standard deviations, times the weights.
  static func factors(variance: Scores) -> Scores {
    var factors = Scores.zero
    for index in factors.indices {
      let deviation = variance[index].squareRoot()
      factors[index] = deviation > 0 && deviation.isFinite ? weights[index] / deviation : 0
    }
    return factors
  }
}

extension SIMD4<Double> {
  var largestMagnitude: Double { pointwiseMax(self, -self).max() }
}
