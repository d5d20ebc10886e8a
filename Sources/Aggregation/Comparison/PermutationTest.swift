/// The result of a test of several statistics.
package struct TestOutcome: Sendable {
  /// Each statistic's distance from its mean in standard deviations, times its weight; positive if the second side has more.
  let statistics: RankScores.Scores
  /// For each statistic, the probability that any statistic gets as far by chance alone.
  var probabilities: RankScores.Scores
  /// The standard error of the difference of the means, relative to that of independent samples.
  var inflation = RankScores.Scores(repeating: 1)
}

/// Counts how often chance gets as far as each of several statistics, until it is known which of them are rare.
///
/// Each statistic is compared with the largest one reached by chance (Westfall and Young's max-T; a higher weight makes
/// a statistic easier to find at the cost of the others). However the statistics depend on each other, the probability
/// of a false finding is then that of a single test.
struct ChanceCount {
  private let observed: RankScores.Scores
  private let precision: TestPrecision
  private let rounds: Int
  /// Twice the number of permutations that got as far; one that got exactly as far counts half (Lancaster's mid-p).
  private var exceeded = [Int](repeating: 0, count: RankScores.Scores.scalarCount)
  private var dealings = 0

  /// Number of permutations that reach a statistic after which it is known not to be rare.
  private static let plenty = 20

  /// - Parameter size: number of units per permutation, which bounds the time of a test.
  init(_ observed: RankScores.Scores, size: Int, precision: TestPrecision) {
    (self.observed, self.precision) = (observed, precision)
    rounds = max(precision.least, min(1999, 1_000_000 / max(1, size)))
  }

  /// True if each statistic is known to be rare or not, or if all permutations are used up.
  var isDone: Bool {
    dealings >= rounds
      || exceeded.allSatisfy {
        $0 >= 2 * Self.plenty || dealings >= precision.enough && $0 <= 2 * precision.few
      }
  }

  mutating func take(_ largest: Double) {
    dealings += 1
    for index in exceeded.indices {
      // Equal up to rounding.
      let distance = observed[index].magnitude
      if largest > distance * (1 + 1e-9) {
        exceeded[index] += 2
      } else if largest >= distance * (1 - 1e-9) {
        exceeded[index] += 1
      }
    }
  }

  var outcome: TestOutcome {
    var probabilities = RankScores.Scores.zero
    for index in exceeded.indices {
      probabilities[index] = (Double(exceeded[index]) / 2 + 1) / Double(dealings + 1)
    }
    return TestOutcome(statistics: observed, probabilities: probabilities)
  }
}

/// The rarity that a test must be able to establish.
package enum TestPrecision: Sendable {
  /// A single comparison viewed on its own.
  case single
  /// One of a page of comparisons, the rarest of which must hold against all others.
  case page

  /// Number of permutations after which a statistic reached by at most ``few`` of them is known to be rare.
  fileprivate var enough: Int { self == .single ? 499 : 999 }
  fileprivate var few: Int { self == .single ? 2 : 0 }
  /// Minimum number of permutations.
  fileprivate var least: Int { self == .single ? 199 : 999 }
}

/// A permutation test of several statistics at once, over units drawn in classes.
///
/// Each unit (a sample or a device-day) has scores; a statistic is the sum of one score over the units of one side. If
/// both sides come from one population, every assignment of the units to the sides is equally likely, so the units are
/// reassigned many times.
struct PermutationTest {
  /// Units with the same scores.
  struct Class {
    /// Number of units on both sides.
    var size: Double
    /// Number of units on the second side.
    var inSecond: Double
    /// Scores of each unit.
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

/// Assigns classes of units to two sides at random.
private struct Dealer {
  private let sizes: [Double]
  /// Scores of each class minus their mean.
  private let scores: [RankScores.Scores]
  private let all: Double
  private let drawn: Double
  /// Factors that convert sums over the second side to standard deviations.
  private let factors: RankScores.Scores

  init(_ classes: [PermutationTest.Class]) {
    let sizes = classes.map(\.size)
    let all = sizes.reduce(0, +)
    let second = classes.reduce(0) { $0 + $1.inSecond }
    let mean = classes.reduce(RankScores.Scores.zero) { $0 + $1.scores * ($1.size / all) }
    let centred = classes.map { $0.scores - mean }
    // Σ(s - s̄)²·n₁·n₂ / (N·(N - 1)), the variance of a sum of n₂ of N units drawn without replacement.
    let squares = zip(centred, sizes).reduce(RankScores.Scores.zero) { $0 + $1.0 * $1.0 * $1.1 }
    factors = RankScores.factors(variance: squares / max(1, all - 1) * (second * ((all - second) / all)))
    (self.sizes, self.all, scores) = (sizes, all, centred)
    // The smaller side is drawn.
    drawn = second > all / 2 ? all - second : second
  }

  /// The statistics of a second side with this number of members of each class.
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
  /// Factors that convert sums of this variance to standard deviations, times the weights.
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
