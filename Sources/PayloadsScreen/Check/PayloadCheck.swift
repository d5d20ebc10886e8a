import Aggregation
import Codecs
import DashboardCore
package import History

/// Conditions checked against the payloads of one version, with the version before or a named one.
package struct PayloadCheck {
  /// The answer to one condition.
  package struct Answer: Sendable, Equatable {
    package enum Kind: String, Sendable {
      case holds, clear
      /// Neither can be said.
      case unknown
    }

    package let condition: String
    package let kind: Kind
    /// The comparison with its figures.
    package let sentence: String
    /// True if more payloads could answer it.
    package var isTooFew = false
    /// True if the condition names a figure that the payloads do not have.
    package var isWrong = false
  }

  /// A comparison and its finding, before the correction for all conditions.
  private struct Finding {
    var verdict: ComparisonVerdict?
    /// True if the verdict means that the condition holds.
    var isMet: @Sendable (ComparisonVerdict) -> Bool = { $0.isDifference && $0.isRising }
    var sentence: String
    var answer: Answer.Kind?
    var isTooFew = false
    var isWrong = false
  }

  private let archive: PayloadArchive
  private let versions: [String]
  private let version: String?

  /// - Parameter version: The version that is judged; `nil` for the newest.
  package init(_ archive: PayloadArchive, version: String? = nil) {
    self.archive = archive
    versions = archive.versions
    self.version = version ?? versions.first
  }

  /// The version that is judged; `nil` if the payloads name none.
  package var judged: String? { version }

  /// Answers conditions, which share one rate of false alarms.
  package func answers(to conditions: [PayloadCondition]) -> [Answer] {
    var summaries: [String?: OverviewSummary] = [:]
    let findings = conditions.map { condition -> [Finding] in
      let other = condition.version ?? before
      if summaries[other] == nil { summaries[other] = summary(against: other) }
      return summaries[other].map { self.findings(for: condition, in: $0, other) } ?? []
    }
    let tested = findings.joined().compactMap { $0.verdict?.probability }
    let threshold = FalseDiscoveries.threshold(tested, of: tested.count)
    return zip(conditions, findings).map { condition, findings in
      let answers = findings.map { finding -> Answer in
        let verdict = finding.verdict?.believed(upTo: threshold)
        let kind = finding.answer ?? (verdict.map(finding.isMet) == true ? .holds : .clear)
        return Answer(
          condition: condition.text, kind: kind, sentence: finding.sentence, isTooFew: finding.isTooFew,
          isWrong: finding.isWrong)
      }
      // Of several signatures the first that is new; the most frequent one comes first.
      return answers.first { $0.kind == .holds } ?? answers.first
        ?? Answer(condition: condition.text, kind: .clear, sentence: "no new one in \(version ?? "all")")
    }
  }

  /// The version before the judged one.
  private var before: String? {
    guard let version, let place = versions.firstIndex(of: version), place + 1 < versions.count else {
      return nil
    }
    return versions[place + 1]
  }

  private func choice(_ version: String?) -> SampleCube.Choice {
    SampleCube.Choice(
      labels: version.map { [PayloadArchive.versionDimension: .value($0)] } ?? [:], window: nil)
  }

  private func summary(against other: String?) -> OverviewSummary {
    let key = OverviewSummary.Key(
      payloads: ValueVersion(), a: choice(version), b: other.map(choice),
      names: [version ?? "all", other].compactMap(\.self))
    var summary = OverviewSummary(archive, key)
    while !summary.isDone { summary.proceed(.init(values: .max, bytes: .max)) }
    summary.proceed()
    return summary
  }

  private static func signed(_ change: Double) -> String {
    let percent = (change * 100).rounded()
    return (percent < 0 ? "-" : percent > 0 ? "+" : "") + NumberFormat.text(abs(percent), decimals: 0) + "%"
  }

  // MARK: Findings

  private func findings(
    for condition: PayloadCondition, in summary: OverviewSummary, _ other: String?
  ) -> [Finding] {
    let comparesSides = if case .change = condition.test { true } else { false }
    if comparesSides {
      guard let other else {
        return [Finding(sentence: "there is no version before \(version ?? "it")", answer: .unknown)]
      }
      guard versions.contains(other) else {
        let known = versions.prefix(6).joined(separator: ", ")
        return [Finding(sentence: "no payload is of version \(other); there are \(known)", answer: .unknown)]
      }
    }
    switch condition.subject {
    case .figure(let name, let measure):
      guard let row = FigureNames(summary.overview.rows).row(named: name) else {
        let near = FigureNames(summary.overview.rows).nearest(to: name)
        return [
          Finding(sentence: "no figure is named \(name); nearest: \(near)", answer: .unknown, isWrong: true)
        ]
      }
      return [finding(condition.test, on: row, measure, other)]
    case .rate(let kind): return [rate(of: kind, condition.test, summary, other)]
    case .newSignature(let kind): return CrashFamily.newest(kind, in: summary).map(finding)
    }
  }

  private func finding(
    _ test: PayloadCondition.Test, on row: PayloadOverview.Row, _ measure: PayloadCondition.Measure,
    _ other: String?
  ) -> Finding {
    let (a, b) = (row.a.map { row.text(measure, $0) }, row.b.map { row.text(measure, $0) })
    switch test {
    case .limit(let isAbove, let limit):
      guard let value = row.a.flatMap({ row.base(measure, $0) }) else {
        return Finding(
          sentence: "\(row.name) of \(version ?? "all"): \(row.a == nil ? "no values" : "too few for this")",
          answer: .unknown, isTooFew: true)
      }
      return Finding(
        sentence: "\(row.name) of \(version ?? "all") is \(a ?? "-")",
        answer: (isAbove ? value > limit : value < limit) ? .holds : .clear)
    case .change(let isHigher):
      let change = row.change(of: measure).map { ", \(Self.signed($0))" } ?? ""
      let sentence =
        "\(row.name): \(a ?? "no values") of \(version ?? "all"), \(b ?? "no values") of \(other ?? "all")\(change)"
      guard let verdict = row.finding, verdict.finding != .tooFew else {
        return Finding(sentence: sentence + "; too few to say", answer: .unknown, isTooFew: true)
      }
      let percentile = if case .percentile(let percentile) = measure { percentile } else { 50.0 }
      return Finding(
        verdict: verdict,
        isMet: {
          $0.moves(percentile: percentile, isHigher: isHigher) || isHigher && $0.finding == .secondHump
        },
        sentence: sentence)
    }
  }

  private func rate(
    of kind: String, _ test: PayloadCondition.Test, _ summary: OverviewSummary, _ other: String?
  ) -> Finding {
    let days = (a: summary.overview.a.columns.days, b: summary.overview.b?.columns.days ?? 0)
    let facts = summary.reader.facts.filter { $0.kind.hasPrefix(kind) && !$0.isSimulated }
    let mine = facts.count { $0.matches(summary.key.a) }
    let perDay = days.a > 0 ? Double(mine) / Double(days.a) : 0
    let sentence = "\(mine) in \(days.a) device-days of \(version ?? "all")"
    switch test {
    case .limit(let isAbove, let limit):
      guard days.a > 0 else { return Finding(sentence: sentence, answer: .unknown, isTooFew: true) }
      return Finding(
        sentence: sentence, answer: (isAbove ? perDay > limit : perDay < limit) ? .holds : .clear)
    case .change(let isHigher):
      let others = summary.key.b.map { b in facts.count { $0.matches(b) } } ?? 0
      let all = sentence + ", \(others) in \(days.b) of \(other ?? "all")"
      guard days.a > 0, days.b > 0 else { return Finding(sentence: all, answer: .unknown, isTooFew: true) }
      guard let rate = summary.rates.first(where: { $0.key.hasPrefix(kind) })?.value else {
        return Finding(sentence: all, answer: .clear)
      }
      return Finding(
        verdict: rate.finding, isMet: { $0.isDifference && $0.isRising == isHigher }, sentence: all,
        answer: rate.finding.finding == .tooFew ? .unknown : nil, isTooFew: rate.finding.finding == .tooFew)
    }
  }

  private func finding(_ family: CrashFamily) -> Finding {
    Finding(
      verdict: family.verdict,
      sentence: "\(family.words): \(family.count) of \(family.all), none before",
      answer: family.verdict.finding == .tooFew ? .unknown : nil, isTooFew: family.verdict.finding == .tooFew)
  }
}
