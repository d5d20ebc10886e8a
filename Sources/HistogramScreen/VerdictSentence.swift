import Aggregation
import Codecs
import DashboardCore

/// The result of a comparison in one sentence, with the numbers that support it.
struct VerdictSentence {
  let comparison: SideComparison
  /// Names of the sides.
  let a: String
  let b: String
  let unit: ValueUnit
  let words: ChangeWords
  /// The word for the units that a field names: `devices`.
  let groups: String
  /// Median and 95th percentile of both sides, as displayed next to the sentence.
  let median: Pair?
  let tail: Pair?
  /// The averages, if their margins are apart although no difference was found.
  let averages: Pair?
  /// The cause of the change; `nil` if no field explains it.
  var attribution: HistogramAttribution?
  /// The compared share of a text's value; `nil` for numbers.
  var share: Share?
  /// The number of samples common to both sides; if there are any, no conclusion is possible.
  var overlap = 0

  /// A value of a text, and its share on both sides.
  struct Share {
    let value: String
    /// The name of a bool, whose value is `true`; `nil` for a text.
    let field: String?
    let a: Double
    let b: Double

    /// `retry 6.2% against 1.9%`.
    var words: String { "\(field ?? value) \(shares)" }

    /// `6.2% against 1.9%`.
    var shares: String { "\(Self.percent(a)) against \(Self.percent(b))" }

    private static func percent(_ share: Double) -> String {
      NumberFormat.text(share * 100, decimals: 1) + "%"
    }

    /// `failed more often`, `more retry`.
    var change: String {
      let degree = a > b ? "more" : "less"
      return field.map { "\($0) \(degree) often" } ?? "\(degree) \(value)"
    }
  }

  /// A percentile of both sides.
  struct Pair {
    let a: Double
    let b: Double
    /// The mark before each value: `~` if it comes from the bins of a time range.
    var marks = (a: "", b: "")
    /// True if it is part of the finding.
    let isFound: Bool
  }

  /// - Parameter figures: The figures of both sides; the result is `nil` if there is only one.
  init?(_ figures: HistogramFigures, unit: ValueUnit, words: ChangeWords? = nil) {
    guard let comparison = figures.comparison, let b = figures.b else { return nil }
    let a = figures.a
    (self.comparison, self.a, self.b, self.unit) = (comparison, a.name, b.name, unit)
    self.words = words ?? ChangeWords(unit)
    groups = figures.ground.field.flatMap { ClusterField.plural(of: $0.name) } ?? ""
    let (ofA, ofB) = (a.quantiles([50, 95]), b.quantiles([50, 95]))
    let pairs = [50.0, 95].indices.map { place -> Pair? in
      guard ofA.count == 2, ofB.count == 2 else { return nil }
      let (mine, other) = (ofA[place].value, ofB[place].value)
      let marks = (Self.mark(ofA[place], of: a, unit), Self.mark(ofB[place], of: b, unit))
      return Pair(
        a: mine, b: other, marks: marks,
        isFound: comparison.verdict.moves(percentile: [50, 95][place], isHigher: mine > other))
    }
    (median, tail) = (pairs[0], pairs[1])
    averages = comparison.verdict.finding == .noDifference ? Self.apart(a, b) : nil
  }

  private static func apart(_ a: HistogramSide, _ b: HistogramSide) -> Pair? {
    guard !a.hasBins, let mine = a.average(), let other = b.average(),
      // Rounded, they may look apart a little earlier.
      (mine.value - other.value).magnitude > 0.95 * (mine.doubt + other.doubt)
    else { return nil }
    return Pair(a: mine.value, b: other.value, isFound: true)
  }

  private static func mark(_ quantile: Quantile, of side: HistogramSide, _ unit: ValueUnit) -> String {
    side.hasBins ? "" : unit.estimateMark(of: quantile)
  }

  /// True if the sentence names a difference.
  var isDifference: Bool { overlap == 0 && comparison.verdict.isDifference }

  /// True if the named difference is for the worse; `nil` without one.
  var isWorse: Bool? {
    guard isDifference, share == nil else { return nil }
    return words.isWorse(rising: comparison.verdict.isRising)
  }

  /// `2.4.1 is slower in the tail only: p95 354 against 213 (+66 %), the median is the same within the noise`.
  var sentence: String {
    if let refusal { return refusal }
    return "\(claim): \(numbers)" + (attribution.map { "; \($0.words(unit, words))" } ?? "")
  }

  /// All wordings, from the longest to the shortest.
  var wordings: [String] {
    guard refusal == nil, isDifference, let attribution else { return [sentence, short, brief] }
    return [
      sentence, "\(claim): \(attribution.words(unit, words))", "\(brief): \(attribution.short(unit, words))",
      attribution.short(unit, words), brief,
    ]
  }

  /// The sentence with only its most important number.
  var short: String {
    if let refusal { return refusal }
    if let share { return isDifference ? "\(claim): \(share.shares)" : claim }
    return switch comparison.verdict.finding {
    case .tooFew, .noDifference, .secondHump: claim
    case .middle: ([claim] + [part("p50", median)].compactMap { $0 }).joined(separator: ": ")
    case .tail:
      ([claim] + [part("p95", tail)].compactMap { $0 }).joined(separator: ": ")
    }
  }

  private var claim: String {
    if let share, isDifference { return "\(a) has \(share.change)" }
    return switch comparison.verdict.finding {
    case .noDifference: averages == nil ? "No difference beyond noise" : "No certain difference"
    case .tooFew: "Too few to compare"
    case .middle: "\(a) is \(change)"
    case .tail: "\(a) is \(change)\(whereInTail)"
    case .secondHump: "\(a) has a second peak\(hump)"
    }
  }

  private var change: String { comparison.verdict.isRising ? words.rise : words.fall }

  /// The place of the change in the tail; a change of the middle as well is a finding of its own.
  private var whereInTail: String {
    switch (comparison.verdict.middle, comparison.verdict.isRising) {
    case (nil, _): " in the tail only"
    case (.up, true), (.down, false): ", most of all in the tail"
    case (.up, false): " in the tail, but \(words.rise) in the middle"
    case (.down, true): " in the tail, but \(words.fall) in the middle"
    }
  }

  /// The sentence in a few words, for narrow places.
  var brief: String {
    if overlap > 0 { return "A and B overlap" }
    if share != nil, isDifference { return claim }
    return switch comparison.verdict.finding {
    case .noDifference: averages == nil ? "no difference beyond noise" : "no certain difference"
    case .tooFew: "too few \(comparison.unit == .group ? groups : "samples")"
    case .middle: "\(a) is \(change)"
    case .tail:
      "\(a) \(change) \(comparison.verdict.middle == nil ? "in the tail only" : "most in the tail")"
    case .secondHump: "\(a) has a new second hump"
    }
  }

  private var numbers: String {
    let (before, after) = (comparison.before, comparison.after)
    return [
      isDifference ? share?.shares : share?.words, part("average", averages), part("p50", median),
      part("p95", tail),
      "n \(NumberFormat.grouped(after.count)) and \(NumberFormat.grouped(before.count))\(days)",
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// The word for the independent units.
  private var kind: String {
    switch comparison.unit {
    case .sample: "samples"
    case .deviceDay: "device-days"
    case .group: groups
    }
  }

  private var days: String {
    guard comparison.unit != .sample else { return "" }
    let (before, after) = (comparison.before.units, comparison.after.units)
    return " on \(NumberFormat.grouped(after)) and \(NumberFormat.grouped(before)) \(kind)"
  }

  /// `p50 354 against 213 (+66 %)`; `(within noise)` if it is not part of the finding.
  private func part(_ name: String, _ pair: Pair?) -> String? {
    guard let pair else { return nil }
    let change = pair.b > 0 ? pair.a / pair.b - 1 : .nan
    let words =
      pair.a == pair.b
      ? "" : !pair.isFound ? " (within noise)" : change.isFinite ? " (\(NumberFormat.change(change)))" : ""
    return
      "\(name) \(pair.marks.a)\(unit.text(pair.a)) against \(pair.marks.b)\(unit.text(pair.b))\(words)"
  }

  private var hump: String {
    guard let shares = comparison.verdict.humpShares else { return "" }
    return " with \(NumberFormat.text(shares.after * 100, decimals: 0))% of its samples"
  }

  // MARK: No conclusion

  /// The reason why no conclusion is possible.
  private var refusal: String? {
    guard overlap == 0 else {
      return
        "A and B overlap: \(NumberFormat.grouped(overlap)) samples are on both sides, so nothing can be concluded"
    }
    return comparison.verdict.finding == .tooFew ? tooFew : nil
  }

  private var tooFew: String {
    let (before, after) = (comparison.before, comparison.after)
    let needed = comparison.unit.needed
    let isUnits = min(before.units, after.units) < needed
    let (have, other) = isUnits ? (after.units, before.units) : (after.count, before.count)
    let (least, what) = isUnits ? (needed, kind) : (SideComparison.samplesNeeded, "samples")
    return
      "Too few \(isUnits && comparison.unit == .group ? kind + " " : "")to compare: \(a) has "
      + "\(NumberFormat.grouped(have)) and \(b) \(NumberFormat.grouped(other)), each needs \(least) \(what)"
  }
}
