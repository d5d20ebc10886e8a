import Aggregation
import Codecs
import Telemetry

/// What a comparison comes to, in one sentence with the numbers that carry it.
struct HistogramVerdict {
  let comparison: VersionComparison
  /// What the sides are called.
  let a: String
  let b: String
  let unit: ValueUnit
  /// Median and 95th percentile of both sides, as they stand beside the sentence.
  let median: Pair?
  let tail: Pair?

  /// A percentile of both sides.
  struct Pair {
    let a: Double
    let b: Double
  }

  /// - Parameter comparison: of A against B.
  init(_ comparison: VersionComparison, of a: HistogramSide, against b: HistogramSide, unit: ValueUnit) {
    (self.comparison, self.a, self.b, self.unit) = (comparison, a.name, b.name, unit)
    let (ofA, ofB) = (a.quantiles([50, 95]), b.quantiles([50, 95]))
    let isWhole = ofA.count == 2 && ofB.count == 2
    median = isWhole ? Pair(a: ofA[0].value, b: ofB[0].value) : nil
    tail = isWhole ? Pair(a: ofA[1].value, b: ofB[1].value) : nil
  }

  /// `2.4.1 is slower in the tail only: p95 354 against 213 (+66 %), the median is the same within the noise`.
  var sentence: String { comparison.verdict == .tooFewSamples ? tooFew : "\(claim): \(numbers)" }

  /// The same with the number that tells most alone.
  var short: String {
    switch comparison.verdict {
    case .tooFewSamples: return tooFew
    case .noDifference, .secondHump: return claim
    case .faster, .slower: return ([claim] + [part("p50", median)].compactMap { $0 }).joined(separator: ": ")
    case .tailFaster, .tailSlower:
      return ([claim] + [part("p95", tail)].compactMap { $0 }).joined(separator: ": ")
    }
  }

  private var claim: String {
    switch comparison.verdict {
    case .noDifference: "No difference beyond noise"
    case .tooFewSamples: "Too few to compare"
    case .faster: "\(a) is faster"
    case .slower: "\(a) is slower"
    case .tailFaster: "\(a) is faster in the tail only"
    case .tailSlower: "\(a) is slower in the tail only"
    case .secondHump: "\(a) has a second hump\(hump)"
    }
  }

  /// The same in a few words, for where there is little room.
  var brief: String {
    switch comparison.verdict {
    case .noDifference: "no difference beyond noise"
    case .tooFewSamples: "too few samples"
    case .faster: "\(a) is faster"
    case .slower: "\(a) is slower"
    case .tailFaster: "\(a) faster in the tail only"
    case .tailSlower: "\(a) slower in the tail only"
    case .secondHump: "\(a) has a new second hump"
    }
  }

  private var numbers: String {
    let (before, after) = (comparison.before, comparison.after)
    return [
      part("p50", median), part("p95", tail),
      "n \(NumberFormat.grouped(after.count)) and \(NumberFormat.grouped(before.count))\(days)",
    ].compactMap { $0 }.joined(separator: ", ")
  }

  private var days: String {
    comparison.unit == .deviceDay
      ? " on \(NumberFormat.grouped(comparison.after.units)) and \(NumberFormat.grouped(comparison.before.units)) device-days"
      : ""
  }

  private func part(_ name: String, _ pair: Pair?) -> String? {
    guard let pair else { return nil }
    let change = pair.b > 0 ? pair.a / pair.b - 1 : .nan
    let words = change.isFinite ? " (\(Self.percent(change)))" : ""
    return "\(name) \(unit.text(pair.a)) against \(unit.text(pair.b))\(words)"
  }

  private var hump: String {
    guard let share = comparison.after.shareInSecondHump else { return "" }
    return " with \(NumberFormat.text(share * 100, decimals: 0))% of its samples"
  }

  private var tooFew: String {
    let (before, after) = (comparison.before, comparison.after)
    let isDays =
      comparison.unit == .deviceDay
      && (before.units < VersionComparison.daysNeeded || after.units < VersionComparison.daysNeeded)
    let needed =
      isDays ? "\(VersionComparison.daysNeeded) device-days" : "\(VersionComparison.samplesNeeded) samples"
    let (have, other) = isDays ? (after.units, before.units) : (after.count, before.count)
    return
      "Too few to compare: \(a) has \(NumberFormat.grouped(have)) and \(b) \(NumberFormat.grouped(other)), "
      + "each needs \(needed)"
  }

  /// A change with its sign: `+66%`.
  static func percent(_ change: Double) -> String {
    let percent = change * 100
    let digits = NumberFormat.text(percent, decimals: percent.magnitude < 9.95 ? 1 : 0)
    return percent > 0 ? "+\(digits)%" : "\(digits)%"
  }
}
