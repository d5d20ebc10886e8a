/// The difference between two sets of measurements, or the finding that it is within noise.
///
/// Runs several tests with different assumptions about independence, and reports a difference only if all of them find
/// it. The result thus holds if the assumptions of any one of them are true.
package struct SideComparison: Hashable, Sendable {
  /// The unit treated as independent.
  package enum Unit: Sendable {
    /// Individual samples.
    case sample
    /// Device-days: the histograms of payloads.
    case deviceDay
    /// Groups named by a field of the samples: devices, users or sessions.
    case group

    /// Minimum number of units on each side.
    package var needed: Int { self == .sample ? samplesNeeded : ClusterField.needed }
  }

  /// The amount of data on one side.
  package struct Side: Hashable, Sendable {
    /// Number of samples; `Int.max` if there are more.
    package let count: Int
    /// Number of units with a sample.
    package let units: Int
  }

  package private(set) var verdict: ComparisonVerdict
  package let unit: Unit
  package let before: Side
  package let after: Side
  /// The standard error of the difference, relative to that of as many independent samples; at least 1.
  package private(set) var inflation = 1.0

  /// Confidence required for a difference to be named.
  package static let confidenceNeeded = 0.97
  /// Minimum number of samples on each side.
  package static let samplesNeeded = 20
  /// The seed of the permutations.
  package static let defaultSeed: UInt64 = 0x4D69_7374_6572
  /// Smallest change that is reported, relative to the larger value.
  private static let smallestChange = 0.01

  /// Compares samples.
  ///
  /// - Parameter field: the field that names the source of samples, if there is one.
  package init(
    _ before: [HistogramBin], with after: [HistogramBin], by dealings: [Dealing], field: ClusterField? = nil,
    precision: TestPrecision = .single, seed: UInt64 = defaultSeed
  ) {
    self.init(
      before, with: after, by: field?.role == .tooFew ? nil : dealings, of: field == nil ? .sample : .group,
      units: field.map { ($0.first, $0.second) }, precision: precision, seed: seed)
  }

  /// Compares samples in any unit.
  ///
  /// - Parameters:
  ///   - before: the samples of the earlier side, by their lower bounds.
  ///   - after: the samples of the later side.
  ///   - dealings: tests with different independent units, run in this order. If empty, no difference is found; if none
  ///     of them has an outcome, individual samples are tested. `nil` if there is too little data for a conclusion.
  ///   - units: the number of units on each side; `nil` for samples.
  ///   - seed: seed of the random permutations; equal input and seed give an equal result.
  package init(
    _ before: [HistogramBin], with after: [HistogramBin], by dealings: [Dealing]?, of unit: Unit,
    units: (Int, Int)?, precision: TestPrecision = .single, seed: UInt64 = defaultSeed
  ) {
    let counts = [before, after].map { $0.reduce(0) { $0.addingSaturated($1.count) } }
    self.unit = unit
    self.before = Side(count: counts[0], units: units?.0 ?? counts[0])
    self.after = Side(count: counts[1], units: units?.1 ?? counts[1])
    verdict = .tooFew
    let isEnough = [self.before, self.after].allSatisfy {
      $0.count >= Self.samplesNeeded && $0.units >= unit.needed
    }
    guard let dealings, isEnough else { return }
    verdict = ComparisonVerdict(finding: .noDifference, probability: 1)
    let scores = RankScores(first: before, second: after)
    let setting = Dealing.Setting(
      scores: scores, precision: precision, random: ResamplingRandom(seed: seed),
      hasSamples: dealings.first?.isSamples ?? false)
    var outcomes: [TestOutcome] = []
    // Without groups, each sample is its own unit.
    for dealing in dealings + (dealings.isEmpty ? [] : [.samples]) {
      if dealing.isSamples, !outcomes.isEmpty { continue }
      outcomes += dealing.outcomes(setting)
      // A difference missed by one test is not reported: on a page the remaining tests, and their margins, are left out.
      let isFound = outcomes.allSatisfy { $0.probabilities.min() <= 1 - Self.confidenceNeeded }
      if !isFound, precision == .page { break }
    }
    inflation = outcomes.reduce(1) { max($0, $1.inflation[RankScores.middle]) }
    if let joined = TestOutcome(all: outcomes) { conclude(joined, before, after) }
  }

  /// The comparisons of one page; those not significant among the others become findings of no difference.
  ///
  /// - Parameter count: the number of comparisons, if some of the page were left out.
  package static func believed(_ comparisons: [SideComparison?], of count: Int = 0) -> [SideComparison?] {
    let tested = comparisons.compactMap { $0?.verdict.probability }
    let threshold = FalseDiscoveries.threshold(tested, of: max(count, tested.count))
    return comparisons.map { comparison in
      guard var comparison else { return nil }
      comparison.verdict = comparison.verdict.believed(upTo: threshold)
      return comparison
    }
  }

  private mutating func conclude(
    _ outcome: TestOutcome, _ before: [HistogramBin], _ after: [HistogramBin]
  ) {
    let probabilities = outcome.probabilities
    let changes = PercentileChanges(before, after)
    let tails = probabilities.indices.filter { $0 != RankScores.middle }
    let tailPlace = tails.min { probabilities[$0] < probabilities[$1] } ?? RankScores.middle
    verdict.probability = probabilities.min()

    let isNamed = { (index: Int, change: Double) in
      1 - probabilities[index] >= Self.confidenceNeeded && change >= Self.smallestChange
    }
    let hasMoved = isNamed(RankScores.middle, changes.largestOfQuartiles)
    let hasOtherTail = isNamed(tailPlace, changes.largestOfTail)
    guard hasMoved || hasOtherTail else { return }
    let move = { (index: Int) in outcome.statistics[index] > 0 ? ComparisonVerdict.Move.up : .down }
    if hasMoved { verdict.middle = move(RankScores.middle) }
    if hasOtherTail { verdict.tail = move(tailPlace) }

    let isTail = hasOtherTail && (!hasMoved || changes.tail >= 2 * changes.median)
    let index = isTail ? tailPlace : RankScores.middle
    verdict.probability = probabilities[index]
    verdict.finding = isTail ? .tail(move(index)) : .middle(move(index))
    if verdict.isRising { nameSecondHump(before, after) }
  }

  /// Reports a second peak if the samples that rose separated from the rest and were not already separate before.
  private mutating func nameSecondHump(_ before: [HistogramBin], _ after: [HistogramBin]) {
    guard let valley = HumpValley(after) else { return }
    let (earlier, later) = (before.share(above: valley.place), after.share(above: valley.place))
    guard earlier <= later / 3 else { return }
    if let known = HumpValley(before), before.share(above: known.place) > later / 3 { return }
    verdict.finding = .secondHump
    verdict.humpShares = .init(before: earlier, after: later)
  }
}

extension TestOutcome {
  /// The joint result of several tests: for each statistic, the least certain one; `nil` if there are no tests.
  fileprivate init?(all outcomes: [TestOutcome]) {
    guard let first = outcomes.first else { return nil }
    self.init(
      statistics: first.statistics,
      probabilities: outcomes.dropFirst().reduce(first.probabilities) { pointwiseMax($0, $1.probabilities) })
  }
}

/// Changes of percentiles, relative to the larger value: from 0 to 1.
private struct PercentileChanges {
  let median: Double
  let tail: Double
  let largestOfQuartiles: Double
  let largestOfTail: Double

  init(_ first: [HistogramBin], _ second: [HistogramBin]) {
    let relative = { (one: Double, other: Double) in
      let larger = max(one.magnitude, other.magnitude)
      return larger > 0 ? (one / larger - other / larger).magnitude : 0
    }
    // Of two values no percentile may move, but the average does.
    let values = (first + second).map(\.lower)
    if let least = values.min(), let most = values.max(), values.allSatisfy({ $0 == least || $0 == most }) {
      let averages = [first, second].map { least + (most - least) * $0.share(above: most) }
      let all = relative(averages[0], averages[1])
      (median, tail, largestOfQuartiles, largestOfTail) = (all, all, all, all)
      return
    }
    let (first, second) = (HistogramRanks(first), HistogramRanks(second))
    let change = { (percentile: Double) in
      let values = [first, second].map { $0.quantile(ofPercentile: percentile).value }
      return relative(values[0], values[1])
    }
    median = change(50)
    tail = change(95)
    largestOfQuartiles = max(change(25), median, change(75))
    largestOfTail = max(change(90), tail, change(99))
  }
}
