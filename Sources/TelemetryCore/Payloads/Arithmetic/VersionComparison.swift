package import Aggregation

/// The difference between the times of two versions, or that it is within noise.
///
/// ```swift
/// let comparison = VersionComparison(days: launches("2.0"), with: launches("2.1"))
/// comparison.verdict     // .tailSlower
/// comparison.tailChange  // 0.31: the 95th percentile is 31 % higher
/// ```
///
/// ## Method
///
/// A permutation test with four statistics of the samples' ranks: one for the middle (Wilcoxon's scores, cut at the
/// outer fifths), three for the tail (Savage's scores above the ranks 0.8, 0.88 and 0.94). Samples are reassigned to the
/// two versions up to 1,999 times from a fixed seed, and each statistic is compared with the largest of all four in each
/// dealing, which is the correction for looking four times (the max-T method of Westfall and Young, *Resampling-Based
/// Multiple Testing*, 1993). Those of the tail weigh 1.15 times as much, for a tail shows in few samples. The dealings end
/// as soon as 20 of them got as far as every statistic, for then nothing will be found (Besag and Clifford, *Sequential
/// Monte Carlo p-values*, 1991); after 499 also if those that fewer got as far as are clear, with two of the 499 at most.
/// So of 100 comparisons of versions that do not differ, at most three find something on average.
///
/// How often a 95th percentile that is 30 % higher is called a slower tail, the middle being the same. Either all above
/// the 80th percentile is stretched, or all above the 90th is 30 % higher:
///
/// | samples of each version | log-normal of deviation 0.4 | of deviation 0.7 | 100 ms and an exponential of 200 ms | two humps |
/// |---|---|---|---|---|
/// | 500 | 98 %, 96 % | 66 %, 54 % | 89 %, 79 % | 96 %, 96 % |
/// | 1,000 | | 94 %, 86 % | 99 %, 97 % | |
/// | 2,000 | 100 % | 100 % | 100 % | 100 % |
///
/// A difference is named only if it matters: quartiles, or percentiles above, must differ by 1 %. If both the middle
/// and the tail differ, the tail is named where the 95th percentile changed at least twice as much as the median. A
/// difference to slower is called a second peak where the later version has two humps with a clear valley between,
/// and the earlier one had at most a third of its share beyond that valley, or beyond one of its own.
///
/// ## What it assumes
///
/// - Device-days are independent of each other: whole days are dealt out, for the samples of one day are alike. Payloads do
///   not tell whose they are; days of few devices are less independent than they look.
/// - Given as two histograms, each sample counts as independent of the others. That is too bold for samples of many payloads,
///   of few devices, and of series in which a slow sample is followed by slow ones: half of the comparisons of the same with
///   the same then find something. The Histogram screen of mistertop, which knows times and fields, tests stretches of
///   time and devices besides.
/// - Both versions use the same grid of bins, as the payloads of real devices do.
///
/// The cost does not depend on the counts: what is dealt out are at most 200 classes of ranks, or the days.
public struct VersionComparison: Hashable, Sendable {
  /// The conclusion of a comparison.
  public enum Verdict: String, Hashable, Sendable, CaseIterable, Codable {
    /// The difference is noise, or smaller than 1 %.
    case noDifference
    /// Fewer than 20 samples, or fewer than 5 device-days, in one of them.
    case tooFewSamples
    /// The middle moved down.
    case faster
    /// The middle moved up.
    case slower
    /// The slow samples became faster; the middle did not move, or much less.
    case tailFaster
    /// The slow samples became slower; the middle did not move, or much less.
    case tailSlower
    /// A part of the samples went apart from the others, to slower times.
    case secondHump
  }

  /// Which way a part of the times has moved.
  public enum Move: String, Hashable, Sendable, Codable {
    /// To shorter times.
    case down
    /// To longer times.
    case up
  }

  /// The unit taken as independent.
  public enum Unit: String, Hashable, Sendable, Codable {
    /// Samples.
    case sample
    /// Device-days: the histograms of payloads.
    case deviceDay
    /// Groups named by a field of the samples: devices, users or sessions.
    case group
  }

  /// Known facts about the times of one version.
  public struct Side: Hashable, Sendable {
    /// How many samples; `Int.max` for more than that.
    public let count: Int
    /// How many units that have a sample.
    public let units: Int
    /// The median, in milliseconds; `nil` without a sample.
    public let median: TimePercentile?
    /// The 95th percentile, in milliseconds; `nil` without a sample.
    public let ninetyFifthPercentile: TimePercentile?
    /// The share of samples beyond the valley, where the verdict is a second peak.
    public let shareInSecondHump: Double?
  }

  /// The conclusion.
  public let verdict: Verdict
  /// Which way the middle has moved, whatever the verdict names; `nil` where that is not found.
  public let middle: Move?
  /// Which way the slow samples have moved, whatever the verdict names; `nil` where that is not found.
  public let tail: Move?
  /// The unit taken as independent.
  public let unit: Unit
  /// The earlier version.
  public let before: Side
  /// The later version.
  public let after: Side
  /// How sure it is that there is a difference: 1 - p of what is named, corrected for looking several times.
  ///
  /// Where nothing is named, that of what came nearest to it; 0 where nothing was tested.
  public let confidence: Double

  /// Confidence required for a difference to be named.
  public static let confidenceNeeded = SideComparison.confidenceNeeded
  /// How many samples each version must have.
  public static let samplesNeeded = SideComparison.samplesNeeded
  /// How many device-days with a sample each version must have.
  public static let daysNeeded = SideComparison.Unit.deviceDay.needed
  /// How many devices, users or sessions each version must have, where a field names them.
  public static let groupsNeeded = SideComparison.Unit.group.needed
  /// The seed of the permutations.
  public static let defaultSeed = SideComparison.defaultSeed

  /// The change of the median, as a part of what it was: 0.1 is 10 % more.
  ///
  /// `nil` for none from above zero.
  public var medianChange: Double? { Self.change(before.median, after.median) }
  /// The change of the 95th percentile, as a part of what it was.
  ///
  /// `nil` for none from above zero.
  public var tailChange: Double? { Self.change(before.ninetyFifthPercentile, after.ninetyFifthPercentile) }

  private static func change(_ before: TimePercentile?, _ after: TimePercentile?) -> Double? {
    guard let before = before?.value, let after = after?.value, before > 0 else { return nil }
    let change = after / before - 1
    return change.isFinite ? change : nil
  }

  /// Compares samples that are independent of each other.
  ///
  /// - Parameters:
  ///   - before: The samples of the earlier version.
  ///   - after: The samples of the later version.
  ///   - seed: Of the random permutations; the same input with the same seed has the same result.
  public init(_ before: TimeHistogram, with after: TimeHistogram, seed: UInt64 = defaultSeed) {
    let (first, second) = (before.intervals, after.intervals)
    self.init(SideComparison(first, with: second, by: [.samples], seed: seed), first, second)
  }

  /// Compares the payloads of two versions, one histogram for each device-day.
  ///
  /// - Parameters:
  ///   - before: The device-days of the earlier version.
  ///   - after: The device-days of the later version.
  ///   - seed: Of the random permutations; the same input with the same seed has the same result.
  public init(days before: [TimeHistogram], with after: [TimeHistogram], seed: UInt64 = defaultSeed) {
    let (first, second) = (TimeHistogram.merging(before).intervals, TimeHistogram.merging(after).intervals)
    self.init(SideComparison(days: before, with: after, by: [], seed: seed), first, second)
  }

  private init(_ found: SideComparison, _ first: [HistogramBin], _ second: [HistogramBin]) {
    let verdict = found.verdict
    self.verdict = Verdict(verdict.finding)
    (middle, tail) = (verdict.middle.map(Move.init), verdict.tail.map(Move.init))
    confidence = 1 - (verdict.probability ?? 1)
    unit =
      switch found.unit {
      case .sample: .sample
      case .deviceDay: .deviceDay
      case .group: .group
      }
    before = Side(found.before, first, verdict.humpShares?.before)
    after = Side(found.after, second, verdict.humpShares?.after)
  }
}

extension SideComparison {
  /// Compares device-days.
  ///
  /// - Parameter dealings: What else is taken as independent.
  package init(
    days before: [TimeHistogram], with after: [TimeHistogram], by dealings: [Dealing],
    precision: TestPrecision = .single, seed: UInt64 = defaultSeed
  ) {
    let (first, second) = (before.filter { !$0.isEmpty }, after.filter { !$0.isEmpty })
    let days = Dealing.histograms(first: first.map(\.intervals), second: second.map(\.intervals))
    self.init(
      TimeHistogram.merging(first).intervals, with: TimeHistogram.merging(second).intervals,
      by: [days] + dealings, of: .deviceDay, units: (first.count, second.count), precision: precision,
      seed: seed)
  }
}

// The public words for what is concluded.
extension VersionComparison.Verdict {
  fileprivate init(_ finding: ComparisonVerdict.Finding) {
    self =
      switch finding {
      case .noDifference: .noDifference
      case .tooFew: .tooFewSamples
      case .middle(let move): move == .up ? .slower : .faster
      case .tail(let move): move == .up ? .tailSlower : .tailFaster
      case .secondHump: .secondHump
      }
  }
}

extension VersionComparison.Move {
  fileprivate init(_ move: ComparisonVerdict.Move) { self = move == .up ? .up : .down }
}

extension VersionComparison.Side {
  fileprivate init(_ side: SideComparison.Side, _ bins: [HistogramBin], _ share: Double?) {
    let percentiles = TimePercentile.values(of: bins, atPercentiles: [50, 95])
    self.init(
      count: side.count, units: side.units, median: percentiles.first,
      ninetyFifthPercentile: percentiles.last, shareInSecondHump: share)
  }
}
