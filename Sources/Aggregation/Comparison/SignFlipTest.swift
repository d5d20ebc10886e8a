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
  ///   - dependence: correlation of neighbours, from 0 to less than 1; it reduces the effective number of units.
  init(
    _ units: [RankScores.Scores], dependence: Double = 0, precision: TestPrecision, random: ResamplingRandom
  ) {
    let factors = RankScores.factors(variance: units.reduce(.zero) { $0 + $1 * $1 })
    let known = max(0, min(0.95, dependence))
    let observed = units.reduce(.zero, +) * factors * ((1 - known) / (1 + known)).squareRoot()
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
