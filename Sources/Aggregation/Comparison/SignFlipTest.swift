/// A test of several statistics at once, over units of samples that belong together: periods of time, or devices.
///
/// A unit's contribution to the difference of the sides is one number per statistic: its share of the second side's
/// mean minus its share of the first side's. If nothing differs, the opposite sign is equally likely, so signs are
/// redrawn many times (a wild cluster bootstrap under the null hypothesis: Cameron, Gelbach and Miller,
/// *Bootstrap-Based Improvements for Inference with Clustered Errors*, 2008). Units may be of any size, and on one side or both.
struct SignFlipTest {
  let outcome: TestOutcome

  /// - Parameters:
  ///   - units: the contribution of each unit.
  ///   - widening: the variance of the sum of the units, relative to that of independent ones.
  init(
    _ units: [RankScores.Scores], widening: Double = 1, precision: TestPrecision, random: ResamplingRandom
  ) {
    let factors = RankScores.factors(variance: units.squares)
    let observed = units.reduce(.zero, +) * factors / widening.squareRoot()
    var count = ChanceCount(observed, size: units.count, precision: precision)
    var random = random
    while !count.isDone {
      var (sum, signs) = (RankScores.Scores.zero, UInt64(0))
      for (place, unit) in units.enumerated() {
        if place % 64 == 0 { signs = random.signs() }
        if signs & 1 == 0 { sum += unit } else { sum -= unit }
        signs >>= 1
      }
      count.take((sum * factors).largestMagnitude)
    }
    outcome = count.outcome
  }
}

extension [RankScores.Scores] {
  /// The sum of the squares.
  var squares: RankScores.Scores { reduce(.zero) { $0 + $1 * $1 } }
}
