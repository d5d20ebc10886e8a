/// A permutation test of several statistics at once, over things that are drawn in classes.
///
/// Each thing (a sample, or a device-day) has some scores; a statistic is the sum of one score over the things of one
/// group. If both groups are of one population, every way to deal the things out to them is as likely. So they are dealt
/// anew many times, and each statistic is compared with the largest that any of them reaches then (Westfall and Young's
/// max-T; what is weighted more is found more easily, at the cost of the others): however the statistics depend on each other, the chance that one of them is found is that of a single test.
struct PermutationTest {
  /// Things with the same scores.
  struct Class {
    /// How many there are in both groups.
    var size: Double
    /// How many of them are in the second group.
    var inSecond: Double
    /// The scores of each.
    var scores: [Double]
  }

  /// For each statistic the distance of the second group from what it is on average, in standard deviations, times its weight.
  let statistics: [Double]
  /// For each statistic how probable it is that some statistic gets as far by chance alone.
  let probabilities: [Double]

  /// So many dealings that got as far as every statistic are enough to know that none of them is rare.
  private static let plenty = 20
  /// After so many dealings, what was reached by no more than a few of them is known to be rare.
  private static let enough = 499
  private static let few = 2

  /// Deals out anew, at most `rounds` times.
  init(_ classes: [Class], weights: [Double], rounds: Int, random: ResamplingRandom) {
    let count = weights.count
    let dealer = Dealer(classes, weights: weights)
    let observed = dealer.statistics(of: classes.map(\.inSecond))
    var random = random
    var exceeded = [Int](repeating: 0, count: count)
    var dealings = 0
    while dealings < rounds, !Self.isClear(exceeded, dealings: dealings) {
      dealings += 1
      let largest = dealer.largest(&random)
      // What is the same but for rounding is as far.
      for index in 0..<count where largest >= observed[index].magnitude * (1 - 1e-9) { exceeded[index] += 1 }
    }
    statistics = observed
    probabilities = exceeded.map { Double($0 + 1) / Double(dealings + 1) }
  }

  /// Whether of each statistic it is known if it is rare.
  private static func isClear(_ exceeded: [Int], dealings: Int) -> Bool {
    exceeded.allSatisfy { $0 >= plenty || dealings >= enough && $0 <= few }
  }
}

/// Deals classes of things out to two groups.
private struct Dealer {
  private let sizes: [Double]
  /// The scores of each class less their mean, one class after the other.
  private let scores: [Double]
  private let count: Int
  private let all: Double
  private let drawn: Double
  /// The factor that makes a sum over the second group a number of standard deviations.
  private let factors: [Double]
  /// Whether the first group is the one to draw, since it is the smaller one.
  private let drawsFirst: Bool

  init(_ classes: [PermutationTest.Class], weights: [Double]) {
    let count = weights.count
    let sizes = classes.map(\.size)
    let all = sizes.reduce(0, +)
    let second = classes.reduce(0) { $0 + $1.inSecond }
    var centred: [Double] = []
    let means = (0..<count).map { index in
      zip(classes, sizes).reduce(0) { $0 + $1.0.scores[index] * ($1.1 / all) }
    }
    for scores in classes.map(\.scores) { centred += zip(scores, means).map { $0 - $1 } }
    factors = (0..<count).map { index in
      // Σ(s - s̄)²·n₁·n₂ / (N·(N - 1)), the variance of a sum of n₂ of N things drawn without putting back.
      let squares = sizes.indices.reduce(0.0) { sum, place in
        let score = centred[place * count + index]
        return sum + score * score * sizes[place]
      }
      let deviation = (squares / max(1, all - 1) * (second * ((all - second) / all))).squareRoot()
      return deviation > 0 && deviation.isFinite ? weights[index] / deviation : 0
    }
    (self.sizes, self.all, self.count, scores) = (sizes, all, count, centred)
    drawsFirst = second > all / 2
    drawn = drawsFirst ? all - second : second
  }

  /// The statistics of a second group that has so many of each class.
  func statistics(of members: [Double]) -> [Double] {
    (0..<count).map { index in
      members.indices.reduce(0) { $0 + members[$1] * scores[$1 * count + index] } * factors[index]
    }
  }

  /// The largest magnitude of a statistic in one random dealing.
  func largest(_ random: inout ResamplingRandom) -> Double {
    var (left, of) = (drawn, all)
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { sums in
      sums.initialize(repeating: 0)
      for place in sizes.indices {
        guard left > 0 else { break }
        let members = random.members(of: sizes[place], drawing: left, of: of)
        of -= sizes[place]
        left -= members
        guard members > 0 else { continue }
        for index in 0..<count { sums[index] += members * scores[place * count + index] }
      }
      var largest = 0.0
      for index in 0..<count { largest = max(largest, (sums[index] * factors[index]).magnitude) }
      return largest
    }
  }
}
