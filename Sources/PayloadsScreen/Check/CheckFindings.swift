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
      return [finding(condition.test, rate(of: kind) { $0.mentions(text) }, name: "")]
    case .rate(let kind, .each):
      return families(kind).filter { $0.rate.a.count > 0 }.map {
        finding(condition.test, $0.rate, name: $0.label + ": ")
      }
    case .newSignature(let kind):
      return families(kind).filter(\.rate.isNew).map { family in
        let verdict = family.rate.finding ?? .tooFew
        let isTooFew = verdict.finding == .tooFew
        return CheckFinding(
          verdict: verdict,
          sentence: family.sentence(kind: DiagnosticKindWords.one(kind), names: [a, b]),
          answer: isTooFew ? .unknown : nil, isTooFew: isTooFew)
      }
    }
  }

  // MARK: Figures

  private func finding(
    _ test: PayloadCondition.Test, on row: PayloadOverview.Row, _ measure: PayloadCondition.Measure
  ) -> CheckFinding {
    let (mine, other) = (row.a.map { row.text(measure, $0) }, row.b.map { row.text(measure, $0) })
    switch test {
    case .limit(let isAbove, let limit, _):
      guard let value = row.a.flatMap({ row.base(measure, $0) }) else {
        return CheckFinding(
          sentence: "\(row.name) of \(a): \(row.a == nil ? "no values" : "too few for this")",
          answer: .unknown, isTooFew: true)
      }
      return CheckFinding(
        sentence: "\(row.name) of \(a) is \(mine ?? "-")",
        answer: (isAbove ? value > limit : value < limit) ? .holds : .clear)
    case .change(let isHigher):
      let change = row.change(of: measure).map { ", " + NumberFormat.change($0) } ?? ""
      let sentence = "\(row.name): \(mine ?? "no values") of \(a), \(other ?? "no values") of \(b)\(change)"
      guard let verdict = row.finding, verdict.finding != .tooFew else {
        return CheckFinding(sentence: sentence + "; too few to say", answer: .unknown, isTooFew: true)
      }
      let percentile = if case .percentile(let percentile) = measure { percentile } else { 50.0 }
      let carrier = row.carrier.map { "; " + $0.sentence } ?? ""
      return CheckFinding(
        verdict: verdict,
        isMet: {
          $0.moves(percentile: percentile, isHigher: isHigher) || isHigher && $0.finding == .secondHump
        },
        sentence: sentence + carrier)
    }
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
    let sentence = "\(name)\(words(rate.a)) of \(a)"
    switch test {
    case .limit(let isAbove, let limit, let isHourly):
      guard let value = (isHourly ? rate.a.perThousandHours : rate.a.perThousandDays)?.value else {
        return CheckFinding(sentence: sentence, answer: .unknown, isTooFew: true)
      }
      return CheckFinding(
        sentence: sentence, answer: (isAbove ? value > limit : value < limit) ? .holds : .clear)
    case .change(let isHigher):
      guard let other = rate.b, rate.a.exposure.days > 0, other.exposure.days > 0 else {
        return CheckFinding(sentence: sentence, answer: .unknown, isTooFew: true)
      }
      let change = rate.change.map { ", " + NumberFormat.change($0) } ?? ""
      let all = "\(sentence), \(words(other)) of \(b)\(change)"
      guard let finding = rate.finding else { return CheckFinding(sentence: all, answer: .clear) }
      let isTooFew = finding.finding == .tooFew
      return CheckFinding(
        verdict: finding, isMet: { $0.isDifference && $0.isRising == isHigher }, sentence: all,
        answer: isTooFew ? .unknown : nil, isTooFew: isTooFew)
    }
  }

  /// `30 in 167 device-days, 180 (121 to 256) per 1,000`.
  private func words(_ tally: DiagnosticTally) -> String {
    let days =
      "\(NumberFormat.grouped(tally.count)) in \(NumberFormat.grouped(tally.exposure.days)) device-days"
    return days + (tally.perThousandDays.map { ", \($0.words) per 1,000" } ?? "")
  }
}
