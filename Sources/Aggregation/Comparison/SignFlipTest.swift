/// A test of several statistics at once, over things that belong together: stretches of time, or devices.
///
/// The contribution of such a unit's samples to the difference of the sides is one number for each statistic: the
/// mean that they make of the second side less that of the first one. If nothing is different, it is as likely to
/// have the other sign; so signs are drawn again many times (a wild bootstrap that supposes no difference, by units:
/// Cameron, Gelbach and Miller, *Bootstrap-Based Improvements for Inference with Clustered Errors*, 2008). Units may
/// be of any size, and on one side or on both.
struct SignFlipTest {
  let outcome: TestOutcome

  /// - Parameters:
  ///   - units: what each adds.
  ///   - dependence: how much neighbours are alike, from 0 to less than 1: then there are fewer than it seems.
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
