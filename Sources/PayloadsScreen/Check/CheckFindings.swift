import Aggregation
import Codecs
import DashboardCore

/// A comparison and its finding, before the correction for all conditions.
struct CheckFinding {
  var verdict: ComparisonVerdict?
  /// True if the verdict means that the condition holds.
  var isMet: @Sendable (ComparisonVerdict) -> Bool = { $0.isDifference && $0.isRising }
  var sentence: String
  var answer: PayloadCheck.Answer.Kind?
  var isTooFew = false
  var isWrong = false
}

/// Finds what conditions ask about in the overview of two sides.
struct CheckFindings {
  private let summary: OverviewSummary
  private let a: String
  private let b: String

  init(_ summary: OverviewSummary) {
    self.summary = summary
    a = summary.key.names.first ?? "all"
    b = summary.key.names.count > 1 ? summary.key.names[1] : "none"
  }

  func findings(for condition: PayloadCondition) -> [CheckFinding] {
    if case .change = condition.test, let overlap {
      return [CheckFinding(sentence: overlap, answer: .unknown)]
    }
    switch condition.subject {
    case .figure(let name, let measure):
      let names = FigureNames(summary.overview.rows)
      guard let row = names.row(named: name) else {
        if FigureNames.isKnown(name) {
          return [CheckFinding(sentence: "\(name) of \(a): no values", answer: .unknown, isTooFew: true)]
        }
        let near = names.nearest(to: name)
        return [
          CheckFinding(
            sentence: "no figure is named \(name); nearest: \(near)", answer: .unknown, isWrong: true)
        ]
      }
      return [finding(condition.test, on: row, measure)]
    case .rate(let kind, .all):
      let known = summary.rates.first { $0.key.hasPrefix(kind) }?.value ?? none
      return [finding(condition.test, known, name: "")]
    case .rate(let kind, .mentioning(let text)):
      if let unknown = unmentioned(text, kind) { return [unknown] }
      return [finding(condition.test, rate(of: kind) { $0.mentions(text) }, name: "")]
    case .rate(let kind, .each):
      let found = families(kind).filter { $0.rate.a.count > 0 }.map {
        finding(condition.test, $0.rate, name: $0.label + ": ")
      }
      return found.isEmpty ? lackOfDays(condition.test) : found
    case .newSignature(let kind):
      let found = families(kind).filter(\.rate.isNew).map { family in
        let verdict = family.rate.finding ?? .tooFew
        let isTooFew = verdict.finding == .tooFew
        return CheckFinding(
          verdict: verdict,
          sentence: family.sentence(kind: DiagnosticKindWords.one(kind), names: [a, b]),
          answer: isTooFew ? .unknown : nil, isTooFew: isTooFew)
      }
      return found.isEmpty ? lackOfDays(condition.test) : found
    }
  }

  /// The reason why sides with common payloads are not compared; `nil` if they have none.
  private var overlap: String? {
    guard let other = summary.overview.b, other.shared > 0 else { return nil }
    let all = "\(NumberFormat.grouped(other.shared)) of \(NumberFormat.grouped(other.columns.days))"
    return "\(all) payloads of \(b) are among those of \(a), too: nothing is compared"
  }

  /// The finding that there are too few device-days for an answer; none if there are enough.
  private func lackOfDays(_ test: PayloadCondition.Test) -> [CheckFinding] {
    var sides = [(a, exposure.a.days)]
    if case .change = test { sides.append((b, exposure.b.days)) }
    guard sides.contains(where: { $0.1 < RateComparison.needed }) else { return [] }
    let counts = sides.map { "\(NumberFormat.grouped($0.1)) of \($0.0)" }.joined(separator: ", ")
    return [CheckFinding(sentence: "too few device-days: \(counts)", answer: .unknown, isTooFew: true)]
  }

  /// The finding that no diagnostic of a kind mentions a text, which may be misspelled.
  private func unmentioned(_ text: String, _ kind: String) -> CheckFinding? {
    let families = Set(
      summary.reader.facts.filter { $0.kind.hasPrefix(kind) && !$0.isSimulated }.map(\.family.signature))
    guard !families.isEmpty, !families.contains(where: { $0.mentions(text) }) else { return nil }
    let near = Suggestion.question(about: text, among: Set(families.flatMap(\.frames)).sorted())
    return CheckFinding(
      sentence: "no \(DiagnosticKindWords.one(kind)) of these payloads mentions \(text)\(near)",
      answer: .unknown,
      isTooFew: true)
  }

  // MARK: Figures

  private func finding(
    _ test: PayloadCondition.Test, on row: PayloadOverview.Row, _ measure: PayloadCondition.Measure
  ) -> CheckFinding {
    let (mine, other) = (row.a.map { row.text(measure, $0) }, row.b.map { row.text(measure, $0) })
    switch test {
    case .limit(let isAbove, let limit): return finding(isAbove, limit, on: row, measure)
    case .change(let isHigher):
      let change = row.change(of: measure).map { ", " + NumberFormat.change($0) } ?? ""
      let sentence =
        "\(row.phrase): \(mine ?? "no values") of \(a), \(other ?? "no values") of \(b)\(change)"
      guard let verdict = row.finding, verdict.finding != .tooFew else {
        return CheckFinding(sentence: sentence + "; too few to say", answer: .unknown, isTooFew: true)
      }
      let percentile = if case .percentile(let percentile) = measure { percentile } else { 50.0 }
      return CheckFinding(
        verdict: verdict,
        isMet: {
          $0.moves(percentile: percentile, isHigher: isHigher) || isHigher && $0.finding == .secondHump
        },
        sentence: sentence + (row.carrierSentence(measure).map { "; " + $0 } ?? ""))
    }
  }

  private func finding(
    _ isAbove: Bool, _ limit: ConditionLimit, on row: PayloadOverview.Row,
    _ measure: PayloadCondition.Measure
  ) -> CheckFinding {
    let unit = row.a.map { row.unit(of: measure, $0) } ?? row.unit
    guard let most = limit.base(in: unit) else {
      return CheckFinding(
        sentence:
          "at character \(limit.place): \(limit.unit) is not a unit of \(row.phrase), only \(ConditionLimit.units(of: unit))",
        answer: .unknown, isWrong: true)
    }
    guard let known = row.a, let value = row.base(measure, known), !row.hasTooFew(known) else {
      let count = row.a.map { " (\(row.count($0)))" } ?? ""
      return CheckFinding(
        sentence: "\(row.phrase) of \(a): \(row.a == nil ? "no values" : "too few for this")\(count)",
        answer: .unknown, isTooFew: true)
    }
    return CheckFinding(
      sentence: "\(row.phrase) of \(a) is \(row.text(measure, known)), limit \(unit.baseText(most))",
      answer: (isAbove ? value > most : value < most) ? .holds : .clear)
  }

  // MARK: Rates

  private var exposure: (a: DiagnosticExposure, b: DiagnosticExposure) {
    (summary.overview.a.columns.exposure, summary.overview.b?.columns.exposure ?? .none)
  }

  /// The rate of diagnostics of which neither side has any.
  private var none: DiagnosticRate {
    DiagnosticRate(a: [], b: summary.key.b == nil ? nil : [], exposure, isCompared: false)
  }

  private func families(_ kind: String) -> [DiagnosticFamily] {
    summary.families.filter { $0.kind.hasPrefix(kind) && !$0.id.isSimulated }
      .sorted { ($1.rate.a.count, $0.id.signature) < ($0.rate.a.count, $1.id.signature) }
  }

  /// The rate of several families together.
  private func rate(of kind: String, where isMeant: (FamilySignature) -> Bool) -> DiagnosticRate {
    let facts = summary.reader.facts.filter {
      $0.kind.hasPrefix(kind) && !$0.isSimulated && isMeant($0.family.signature)
    }
    let sides = DiagnosticSides(a: summary.key.a, b: summary.key.b, exposure: exposure, isCompared: true)
    return sides.rates(facts).first?.value ?? none
  }

  private func finding(
    _ test: PayloadCondition.Test, _ rate: DiagnosticRate, name: String
  ) -> CheckFinding {
    switch test {
    case .limit(let isAbove, let limit):
      let (most, isHourly) = limit.ofRate ?? (.infinity, false)
      let sentence = "\(name)\(words(rate.a, isHourly: isHourly)) of \(a)"
      guard rate.a.exposure.days >= RateComparison.needed else {
        return CheckFinding(sentence: sentence + "; too few to say", answer: .unknown, isTooFew: true)
      }
      guard let value = (isHourly ? rate.a.perThousandHours : rate.a.perThousandDays)?.value else {
        return CheckFinding(
          sentence: "\(sentence); \(rate.a.exposure.lackOfHours)", answer: .unknown, isTooFew: true)
      }
      let unit = isHourly ? "foreground hours" : "device-days"
      return CheckFinding(
        sentence: "\(sentence), limit \(DiagnosticTally.Rate.number(most)) per 1,000 \(unit)",
        answer: (isAbove ? value > most : value < most) ? .holds : .clear)
    case .change(let isHigher):
      let sentence = "\(name)\(words(rate.a)) of \(a)"
      guard let other = rate.b, rate.a.exposure.days > 0, other.exposure.days > 0, let finding = rate.finding
      else {
        let others = rate.b.map { ", \(words($0)) of \(b)" } ?? ""
        return CheckFinding(
          sentence: sentence + others + "; too few to say", answer: .unknown, isTooFew: true)
      }
      let change = rate.change.map { ", " + NumberFormat.change($0) } ?? ""
      let all = "\(sentence), \(words(other)) of \(b)\(change)"
      let isTooFew = finding.finding == .tooFew
      return CheckFinding(
        verdict: finding, isMet: { $0.isDifference && $0.isRising == isHigher },
        sentence: all + (isTooFew ? "; too few to say" : ""), answer: isTooFew ? .unknown : nil,
        isTooFew: isTooFew)
    }
  }

  /// `30 from 12 users in 167 device-days, 180 (121 to 256) per 1,000`.
  private func words(_ tally: DiagnosticTally, isHourly: Bool = false) -> String {
    let users =
      hasUsers && tally.sources < tally.count
      ? " from \(NumberFormat.grouped(tally.sources)) user\(tally.sources == 1 ? "" : "s")" : ""
    let (amount, unit, rate) =
      isHourly
      ? (tally.exposure.hours ?? 0, "foreground hours", tally.perThousandHours)
      : (Double(tally.exposure.days), "device-days", tally.perThousandDays)
    let head =
      "\(NumberFormat.grouped(tally.count))\(users) in \(NumberFormat.text(amount, decimals: 0)) \(unit)"
    let estimate = isHourly ? tally.exposure.estimate.map { " (\($0))" } ?? "" : ""
    return head + estimate + (rate.map { ", \($0.words) per 1,000" } ?? "")
  }

  /// True if diagnostics are told apart by their users, of whom each counts once.
  private var hasUsers: Bool { summary.reader.facts.contains { !$0.fact("user").isEmpty } }
}
