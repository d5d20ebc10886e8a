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
    public internal(set) var shareInSecondHump: Double?
  }

  /// The conclusion.
  public internal(set) var verdict: Verdict
  /// Which way the middle has moved, whatever the verdict names; `nil` where that is not found.
  public internal(set) var middle: Move?
  /// Which way the slow samples have moved, whatever the verdict names; `nil` where that is not found.
  public internal(set) var tail: Move?
  /// The unit taken as independent.
  public let unit: Unit
  /// The earlier version.
  public internal(set) var before: Side
  /// The later version.
  public internal(set) var after: Side
  /// How sure it is that there is a difference: 1 - p of what is named, corrected for looking several times.
  ///
  /// Where nothing is named, that of what came nearest to it; 0 where nothing was tested.
  public internal(set) var confidence = 0.0

  /// Confidence required for a difference to be named.
  public static let confidenceNeeded = SideComparison.confidenceNeeded
  /// How many samples each version must have.
  public static let samplesNeeded = 20
  /// How many device-days with a sample each version must have.
  public static let daysNeeded = 5
  /// How many devices, users or sessions each version must have, where a field names them.
  public static let groupsNeeded = 5
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
    self.init(before.intervals, with: after.intervals, by: [.samples], seed: seed)
  }

  /// Compares the payloads of two versions, one histogram for each device-day.
  ///
  /// - Parameters:
  ///   - before: The device-days of the earlier version.
  ///   - after: The device-days of the later version.
  ///   - seed: Of the random permutations; the same input with the same seed has the same result.
  public init(days before: [TimeHistogram], with after: [TimeHistogram], seed: UInt64 = defaultSeed) {
    self.init(days: before, with: after, by: [], precision: .single, seed: seed)
  }

  /// Compares samples in any unit, by bins in ascending order.
  ///
  /// - Parameters:
  ///   - dealings: The units that count as independent, one test for each.
  ///   - field: The field that names the source of samples, if there is one.
  package init(
    _ before: [HistogramBin], with after: [HistogramBin], by dealings: [Dealing], field: ClusterField? = nil,
    precision: TestPrecision = .single, seed: UInt64 = defaultSeed
  ) {
    let count = { (bins: [HistogramBin]) in bins.reduce(0) { $0.addingSaturated($1.count) } }
    let units = field.map { ($0.first, $0.second) } ?? (count(before), count(after))
    self.init(unit: field == nil ? .sample : .group, before, after, units: units)
    let isOpen = field?.role == .tooFew
    if isOpen { verdict = .tooFewSamples }
    conclude(before, after, by: dealings, precision: precision, seed: seed)
  }

  /// Compares device-days.
  ///
  /// - Parameter dealings: What else is taken as independent.
  package init(
    days before: [TimeHistogram], with after: [TimeHistogram], by dealings: [Dealing],
    precision: TestPrecision, seed: UInt64 = defaultSeed
  ) {
    let (first, second) = (before.filter { !$0.isEmpty }, after.filter { !$0.isEmpty })
    let (all, others) = (TimeHistogram.merging(first).intervals, TimeHistogram.merging(second).intervals)
    self.init(unit: .deviceDay, all, others, units: (first.count, second.count))
    let days = Dealing.histograms(first: first.map(\.intervals), second: second.map(\.intervals))
    conclude(all, others, by: [days] + dealings, precision: precision, seed: seed)
  }

  private init(unit: Unit, _ before: [HistogramBin], _ after: [HistogramBin], units: (Int, Int)) {
    self.unit = unit
    self.before = Side(before, units: units.0)
    self.after = Side(after, units: units.1)
    let least =
      switch unit {
      case .sample: Self.samplesNeeded
      case .deviceDay: Self.daysNeeded
      case .group: Self.groupsNeeded
      }
    let isEnough = [self.before, self.after].allSatisfy {
      $0.count >= Self.samplesNeeded && $0.units >= least
    }
    verdict = isEnough ? .noDifference : .tooFewSamples
  }

  /// Tests both sides, if there are samples enough, and says what is different.
  private mutating func conclude(
    _ before: [HistogramBin], _ after: [HistogramBin], by dealings: [Dealing], precision: TestPrecision,
    seed: UInt64
  ) {
    guard verdict != .tooFewSamples else { return }
    let found = SideComparison(
      before, after, by: dealings, precision: precision, seed: seed)
    verdict = Verdict(found.verdict)
    (middle, tail) = (found.middle.map(Move.init), found.tail.map(Move.init))
    confidence = found.confidence
    self.before.shareInSecondHump = found.sharesInSecondHump?.first
    self.after.shareInSecondHump = found.sharesInSecondHump?.second
  }

  /// The same without a finding: that of a page of many comparisons which does not stand against the others.
  package var withdrawn: VersionComparison {
    var withdrawn = self
    if verdict != .tooFewSamples { withdrawn.verdict = .noDifference }
    (withdrawn.middle, withdrawn.tail) = (nil, nil)
    (withdrawn.before.shareInSecondHump, withdrawn.after.shareInSecondHump) = (nil, nil)
    return withdrawn
  }
}

extension VersionComparison.Verdict {
  fileprivate init(_ verdict: SideComparison.Verdict) {
    self =
      switch verdict {
      case .noDifference: .noDifference
      case .tooFew: .tooFewSamples
      case .fell: .faster
      case .rose: .slower
      case .tailFell: .tailFaster
      case .tailRose: .tailSlower
      case .secondHump: .secondHump
      }
  }
}

extension VersionComparison.Move {
  fileprivate init(_ move: SideComparison.Move) { self = move == .up ? .up : .down }
}

extension VersionComparison.Side {
  fileprivate init(_ bins: [HistogramBin], units: Int) {
    let percentiles = TimePercentile.values(of: bins, atPercentiles: [50, 95])
    self.init(
      count: bins.reduce(0) { $0.addingSaturated($1.count) }, units: units, median: percentiles.first,
      ninetyFifthPercentile: percentiles.last,
      shareInSecondHump: nil)
  }
}
