package import Aggregation

/// The difference between the times of two versions, or the finding that it is within noise.
///
/// ```swift
/// let comparison = VersionComparison(days: launches("2.0"), with: launches("2.1"))
/// comparison.verdict     // .tailSlower
/// comparison.tailChange  // 0.31: the 95th percentile is 31 % higher
/// ```
///
/// ## Method
///
/// A permutation test with four rank statistics: one for the middle (Wilcoxon scores, truncated at the outer fifths)
/// and three for the tail (Savage scores above the ranks 0.8, 0.88 and 0.94). Samples are reassigned to the two
/// versions up to 1,999 times from a fixed seed, and each statistic is compared with the largest of all four in each
/// permutation, which corrects for testing four times (the max-T method of Westfall and Young, *Resampling-Based
/// Multiple Testing*, 1993). The tail statistics weigh 1.15 times as much, because a tail shows in few samples. The
/// test stops early once 20 permutations have reached every statistic, since no difference can be found any more
/// (Besag and Clifford, *Sequential Monte Carlo p-values*, 1991), or after 499 permutations if the statistics that
/// fewer have reached are clear, with at most two of the 499. Of 100 comparisons of identical versions, at most three
/// find a difference on average.
///
/// Share of comparisons in which a 95th percentile that is 30 % higher is called a slower tail while the middle is the
/// same. Either everything above the 80th percentile is stretched, or everything above the 90th is 30 % higher:
///
/// | samples of each version | log-normal of deviation 0.4 | of deviation 0.7 | 100 ms and an exponential of 200 ms | two modes |
/// |---|---|---|---|---|
/// | 500 | 98 %, 96 % | 66 %, 54 % | 89 %, 79 % | 96 %, 96 % |
/// | 1,000 | | 94 %, 86 % | 99 %, 97 % | |
/// | 2,000 | 100 % | 100 % | 100 % | 100 % |
///
/// A difference is named only if it matters: quartiles, or percentiles above them, must differ by 1 %. If both the
/// middle and the tail differ, the tail is named if the 95th percentile changed at least twice as much as the median.
/// A slowdown is called a second peak if the later version is bimodal with a clear valley, and the earlier one had at
/// most a third of that share beyond the valley, or beyond one of its own.
///
/// ## Assumptions
///
/// - Device-days are independent of each other: whole days are permuted, because the samples of one day resemble each
///   other. Payloads do not identify their device; days of few devices are less independent than they look.
/// - Given two histograms, every sample counts as independent. That is too optimistic for samples of many payloads,
///   of few devices, and of series in which slow samples follow each other: half of the comparisons of identical data
///   then find something. The Histogram screen of mistertop, which knows times and fields, also tests periods of time
///   and devices.
/// - Both versions use the same grid of bins, as the payloads of real devices do.
///
/// The cost does not depend on the counts: the permuted units are at most 200 classes of ranks, or the days.
public struct VersionComparison: Hashable, Sendable {
  /// The conclusion of a comparison.
  public enum Verdict: String, Hashable, Sendable, CaseIterable, Codable {
    /// The difference is noise, or smaller than 1 %.
    case noDifference
    /// Fewer than 20 samples, or fewer than 5 device-days, in one of the versions.
    case tooFewSamples
    /// The middle moved down.
    case faster
    /// The middle moved up.
    case slower
    /// The slow samples became faster; the middle did not move, or moved much less.
    case tailFaster
    /// The slow samples became slower; the middle did not move, or moved much less.
    case tailSlower
    /// Some of the samples split off towards slower times.
    case secondHump
  }

  /// Direction in which part of the times moved.
  public enum Move: String, Hashable, Sendable, Codable {
    /// To shorter times.
    case down
    /// To longer times.
    case up
  }

  /// The unit assumed to be independent.
  public enum Unit: String, Hashable, Sendable, Codable {
    /// Samples.
    case sample
    /// Device-days: the histograms of payloads.
    case deviceDay
    /// Groups named by a field of the samples: devices, users or sessions.
    case group
  }

  /// Facts about the times of one version.
  public struct Side: Hashable, Sendable {
    /// Number of samples; saturates at `Int.max`.
    public let count: Int
    /// Number of units with a sample.
    public let units: Int
    /// The median in milliseconds; `nil` without samples.
    public let median: TimePercentile?
    /// The 95th percentile in milliseconds; `nil` without samples.
    public let ninetyFifthPercentile: TimePercentile?
    /// The share of samples beyond the valley, if the verdict is a second peak.
    public let shareInSecondHump: Double?
  }

  /// The conclusion.
  public let verdict: Verdict
  /// Direction in which the middle moved, whatever the verdict names; `nil` if no move was found.
  public let middle: Move?
  /// Direction in which the slow samples moved, whatever the verdict names; `nil` if no move was found.
  public let tail: Move?
  /// The unit assumed to be independent.
  public let unit: Unit
  /// The earlier version.
  public let before: Side
  /// The later version.
  public let after: Side
  /// Confidence that there is a difference: 1 - p of the named one, corrected for multiple tests.
  ///
  /// If none is named, the confidence of the strongest candidate; 0 if nothing was tested.
  public let confidence: Double

  /// Confidence required for a difference to be named.
  public static let confidenceNeeded = SideComparison.confidenceNeeded
  /// Number of samples required of each version.
  public static let samplesNeeded = SideComparison.samplesNeeded
  /// Number of device-days with a sample required of each version.
  public static let daysNeeded = SideComparison.Unit.deviceDay.needed
  /// Number of devices, users or sessions required of each version, if a field names them.
  public static let groupsNeeded = SideComparison.Unit.group.needed
  /// The seed of the permutations.
  public static let defaultSeed = SideComparison.defaultSeed

  /// The relative change of the median: 0.1 is 10 % more.
  ///
  /// `nil` unless both medians are known and the earlier one is above zero.
  public var medianChange: Double? { Self.change(before.median, after.median) }
  /// The relative change of the 95th percentile.
  ///
  /// `nil` unless both percentiles are known and the earlier one is above zero.
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
  ///   - seed: The seed of the random permutations; the same input and seed give the same result.
  public init(_ before: TimeHistogram, with after: TimeHistogram, seed: UInt64 = defaultSeed) {
    let (first, second) = (before.intervals, after.intervals)
    self.init(SideComparison(first, with: second, by: [.samples], seed: seed), first, second)
  }

  /// Compares the payloads of two versions, one histogram for each device-day.
  ///
  /// - Parameters:
  ///   - before: The device-days of the earlier version.
  ///   - after: The device-days of the later version.
  ///   - seed: The seed of the random permutations; the same input and seed give the same result.
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
  /// - Parameter dealings: Further units assumed to be independent.
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

// The public names of the findings.
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
