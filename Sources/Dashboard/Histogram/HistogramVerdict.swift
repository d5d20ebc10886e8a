import Aggregation
import Telemetry

/// What a comparison comes to, in one sentence with the numbers that carry it.
struct HistogramVerdict {
  let comparison: VersionComparison
  /// What the sides are called.
  let a: String
  let b: String
  let unit: Unit

  /// `2.4.1 is slower in the tail only: p95 354 against 213 (+66 %), the median is the same within the noise`.
  var sentence: String {
    switch comparison.verdict {
    case .noDifference: "No difference beyond noise: \(numbers)"
    case .tooFewSamples: tooFew
    case .faster: "\(a) is faster: \(numbers)"
    case .slower: "\(a) is slower: \(numbers)"
    case .tailFaster: "\(a) is faster in the tail only: \(numbers)"
    case .tailSlower: "\(a) is slower in the tail only: \(numbers)"
    case .secondHump: "\(a) has a second hump\(hump): \(numbers)"
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
      part("p50", after.median, before.median, comparison.medianChange),
      part("p95", after.ninetyFifthPercentile, before.ninetyFifthPercentile, comparison.tailChange),
      "n \(Decimal.grouped(after.count)) and \(Decimal.grouped(before.count))\(days)",
    ].compactMap { $0 }.joined(separator: ", ")
  }

  private var days: String {
    comparison.unit == .deviceDay
      ? " on \(Decimal.grouped(comparison.after.units)) and \(Decimal.grouped(comparison.before.units)) device-days"
      : ""
  }

  private func part(_ name: String, _ after: TimePercentile?, _ before: TimePercentile?, _ change: Double?)
    -> String?
  {
    guard let after = after?.value, let before = before?.value else { return nil }
    let change = change.map { " (\(Self.percent($0)))" } ?? ""
    return "\(name) \(unit.text(after)) against \(unit.text(before))\(change)"
  }

  private var hump: String {
    guard let share = comparison.after.shareInSecondHump else { return "" }
    return " with \(Decimal.text(share * 100, decimals: 0))% of its samples"
  }

  private var tooFew: String {
    let (before, after) = (comparison.before, comparison.after)
    let isDays =
      comparison.unit == .deviceDay
      && (before.units < VersionComparison.daysNeeded || after.units < VersionComparison.daysNeeded)
    let needed =
      isDays ? "\(VersionComparison.daysNeeded) device-days" : "\(VersionComparison.samplesNeeded) samples"
    let (have, other) = isDays ? (after.units, before.units) : (after.count, before.count)
    return "Too few to compare: \(a) has \(Decimal.grouped(have)) and \(b) \(Decimal.grouped(other)), "
      + "each needs \(needed)"
  }

  /// A change with its sign: `+66%`.
  static func percent(_ change: Double) -> String {
    let percent = change * 100
    let digits = Decimal.text(percent, decimals: percent.magnitude < 9.95 ? 1 : 0)
    return percent > 0 ? "+\(digits)%" : "\(digits)%"
  }
}
