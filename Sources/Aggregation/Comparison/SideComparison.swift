/// The difference between two sets of measurements, or that it is within noise.
///
/// Several tests, each with other assumptions about independence, are made, and a difference counts only if all of them find
/// it. So the result holds if the assumptions of any of them are true.
package struct SideComparison: Sendable {
  /// The conclusion; see `VersionComparison.Verdict`, where it has other words.
  package enum Verdict: Sendable {
    case noDifference, tooFew, fell, rose, tailFell, tailRose, secondHump
  }

  /// Which way a part of the samples has moved.
  package enum Move: Sendable {
    case down, up
  }

  /// The conclusion.
  package private(set) var verdict = Verdict.noDifference
  /// The direction in which the middle has moved, also if the verdict names something else; `nil` if it has not.
  package private(set) var middle: Move?
  /// The direction in which the large samples have moved, also if the verdict names something else; `nil` if they have not.
  package private(set) var tail: Move?
  /// The confidence that there is a difference: 1 - p of the named one, or of the nearest one if none is named.
  package private(set) var confidence = 0.0
  /// The shares of both sides beyond the valley, where the verdict is a second peak.
  package private(set) var sharesInSecondHump: (first: Double, second: Double)?

  /// Confidence required for a difference to be named.
  package static let confidenceNeeded = 0.97
  /// The seed of the permutations.
  package static let defaultSeed: UInt64 = 0x4D69_7374_6572
  /// The smallest change that is named, as a part of the larger of the two.
  private static let smallestChange = 0.01

  /// - Parameters:
  ///   - first: the samples of the earlier side, by their lower bounds.
  ///   - second: those of the later one.
  ///   - dealings: what is taken as independent, one after the other; without any nothing is found, and where none of them
  ///     finds anything to deal out, samples are.
  ///   - seed: of the random permutations; the same input with the same seed has the same result.
  package init(
    _ first: [HistogramBin], _ second: [HistogramBin], by dealings: [Dealing],
    precision: TestPrecision = .single, seed: UInt64 = defaultSeed
  ) {
    let scores = RankScores(first: first, second: second)
    let setting = Dealing.Setting(
      scores: scores, precision: precision, random: ResamplingRandom(seed: seed))
    var outcomes: [TestOutcome] = []
    // Without groups each sample is a unit of its own.
    for dealing in dealings + (dealings.isEmpty ? [] : [.samples]) {
      if dealing.isSamples, !outcomes.isEmpty { continue }
      outcomes += dealing.outcomes(setting)
      // A difference that one does not find is not found: the others need not be asked.
      let isFound = outcomes.allSatisfy { $0.probabilities.min() <= 1 - Self.confidenceNeeded }
      if !isFound { break }
    }
    if let joined = TestOutcome(all: outcomes) { conclude(joined, first, second) }
  }

  /// Too few of something to conclude anything.
  package static var tooFew: SideComparison {
    var comparison = SideComparison([], [], by: [])
    comparison.verdict = .tooFew
    return comparison
  }

  private mutating func conclude(
    _ outcome: TestOutcome, _ first: [HistogramBin], _ second: [HistogramBin]
  ) {
    let probabilities = outcome.probabilities
    let changes = PercentileChanges(first, second)
    let tails = probabilities.indices.filter { $0 != RankScores.middle }
    let tailPlace = tails.min { probabilities[$0] < probabilities[$1] } ?? RankScores.middle
    confidence = 1 - probabilities.min()

    let isNamed = { (index: Int, change: Double) in
      1 - probabilities[index] >= Self.confidenceNeeded && change >= Self.smallestChange
    }
    let hasMoved = isNamed(RankScores.middle, changes.largestOfQuartiles)
    let hasOtherTail = isNamed(tailPlace, changes.largestOfTail)
    guard hasMoved || hasOtherTail else { return }
    let move = { (index: Int) in outcome.statistics[index] > 0 ? Move.up : .down }
    if hasMoved { middle = move(RankScores.middle) }
    if hasOtherTail { tail = move(tailPlace) }

    let isTail = hasOtherTail && (!hasMoved || changes.tail >= 2 * changes.median)
    let index = isTail ? tailPlace : RankScores.middle
    let isRising = outcome.statistics[index] > 0
    confidence = 1 - probabilities[index]
    verdict = isTail ? (isRising ? .tailRose : .tailFell) : (isRising ? .rose : .fell)
    if isRising { nameSecondHump(first, second) }
  }

  /// Calls it a second peak, if what rose went apart from the rest, and was not apart already.
  private mutating func nameSecondHump(_ first: [HistogramBin], _ second: [HistogramBin]) {
    guard let valley = HumpValley(second) else { return }
    let (earlier, later) = (first.share(above: valley.place), second.share(above: valley.place))
    guard earlier <= later / 3 else { return }
    if let known = HumpValley(first), first.share(above: known.place) > later / 3 { return }
    verdict = .secondHump
    sharesInSecondHump = (earlier, later)
  }
}

extension TestOutcome {
  /// The joint findings of several tests: for each statistic those of the least sure one; `nil` without any.
  fileprivate init?(all outcomes: [TestOutcome]) {
    guard let first = outcomes.first else { return nil }
    self.init(
      statistics: first.statistics,
      probabilities: outcomes.dropFirst().reduce(first.probabilities) { pointwiseMax($0, $1.probabilities) })
  }
}

/// How much percentiles differ, as a part of the larger of the two: from 0 to 1.
private struct PercentileChanges {
  let median: Double
  let tail: Double
  let largestOfQuartiles: Double
  let largestOfTail: Double

  init(_ first: [HistogramBin], _ second: [HistogramBin]) {
    let (first, second) = (HistogramRanks(first), HistogramRanks(second))
    let change = { (percentile: Double) in
      let values = [first, second].map { $0.quantile(ofPercentile: percentile).value }
      let larger = max(values[0].magnitude, values[1].magnitude)
      return larger > 0 ? (values[0] / larger - values[1] / larger).magnitude : 0
    }
    median = change(50)
    tail = change(95)
    largestOfQuartiles = max(change(25), median, change(75))
    largestOfTail = max(change(90), tail, change(99))
  }
}
