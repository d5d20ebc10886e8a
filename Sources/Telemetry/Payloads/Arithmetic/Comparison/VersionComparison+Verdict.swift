import Aggregation

extension VersionComparison {
  /// The smallest change that is named, as a part of the larger of the two.
  private static let smallestChange = 0.01

  /// Tests the classes, if there are samples enough, and says what is different.
  mutating func conclude(
    _ before: TimeHistogram, _ after: TimeHistogram, classes: () -> [PermutationTest.Class], seed: UInt64
  ) {
    guard verdict != .tooFewSamples else { return }
    let classes = classes()
    let test = PermutationTest(
      classes, weights: RankScores.weights, rounds: Self.rounds(classes: classes.count),
      random: ResamplingRandom(seed: seed))
    let changes = PercentileChanges(before, after)
    let strongestTail = (1..<RankScores.count).min { test.probabilities[$0] < test.probabilities[$1] }
    let tail = strongestTail ?? RankScores.middle
    confidence = 1 - (test.probabilities.min() ?? 1)

    let isNamed = { (index: Int, change: Double) in
      1 - test.probabilities[index] >= Self.confidenceNeeded && change >= Self.smallestChange
    }
    let hasMoved = isNamed(RankScores.middle, changes.largestOfQuartiles)
    let hasOtherTail = isNamed(tail, changes.largestOfTail)
    guard hasMoved || hasOtherTail else { return }
    let move = { (index: Int) in test.statistics[index] > 0 ? Move.up : .down }
    if hasMoved { middle = move(RankScores.middle) }
    if hasOtherTail { self.tail = move(tail) }

    let isTail = hasOtherTail && (!hasMoved || changes.tail >= 2 * changes.median)
    let index = isTail ? tail : RankScores.middle
    let isSlower = test.statistics[index] > 0
    confidence = 1 - test.probabilities[index]
    verdict = isTail ? (isSlower ? .tailSlower : .tailFaster) : (isSlower ? .slower : .faster)
    if isSlower { nameSecondHump(before, after) }
  }

  /// Calls it a second hump, if what became slower went apart from the rest, and was not apart already.
  private mutating func nameSecondHump(_ before: TimeHistogram, _ after: TimeHistogram) {
    guard let valley = HumpValley(after) else { return }
    let (earlier, later) = (before.share(above: valley.place), after.share(above: valley.place))
    guard earlier <= later / 3 else { return }
    if let known = HumpValley(before), before.share(above: known.place) > later / 3 { return }
    verdict = .secondHump
    self.before.shareInSecondHump = earlier
    self.after.shareInSecondHump = later
  }

  /// So many dealings that one comparison takes a bounded time, and not fewer than a probability of 1 in 200 needs.
  private static func rounds(classes: Int) -> Int {
    max(199, min(1999, 1_000_000 / max(1, classes)))
  }
}

/// How much percentiles differ, as a part of the larger of the two: from 0 to 1.
private struct PercentileChanges {
  let median: Double
  let tail: Double
  let largestOfQuartiles: Double
  let largestOfTail: Double

  init(_ before: TimeHistogram, _ after: TimeHistogram) {
    let (first, second) = (HistogramRanks(before), HistogramRanks(after))
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
