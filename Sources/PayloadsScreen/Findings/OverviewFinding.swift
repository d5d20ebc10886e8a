import Aggregation
import Codecs
import DashboardCore

/// A difference between the sides that is more than chance, in one sentence.
struct OverviewFinding: Sendable, Equatable {
  /// The line of the overview that has the figures.
  enum Subject: Hashable, Sendable {
    case figure(PayloadOverview.Row.ID)
    case kind(String)
    case family(DiagnosticFamily.ID)
  }

  let subject: Subject
  let sentence: String
  /// True for the worse, false for the better; `nil` if that is unknown.
  let isWorse: Bool?
}

extension OverviewSummary {
  /// All differences: new and gone families first, then the rates of diagnostics, then figures.
  var findings: [OverviewFinding] {
    let families = families.filter(\.rate.isReal)
    let unseen = families.filter { $0.rate.isNew || $0.rate.isGone }
    let others = families.filter { !$0.rate.isNew && !$0.rate.isGone }
    let kinds = rates.filter { $0.value.isReal }.sorted {
      (DiagnosticKindWords.rank($0.key), $0.key) < (DiagnosticKindWords.rank($1.key), $1.key)
    }
    // The other rates of hangs are of the same comparison.
    let rows = overview.rows.filter {
      [.whole, .pooledRate].contains($0.id.part) && $0.verdict?.isDifference ?? false
    }
    return unseen.map { finding($0) }
      + kinds.map { finding(of: $0.key, $0.value) } + others.map { finding($0) } + rows.map(\.asFinding)
  }

  /// The differences in words where there is none, or none can be told; `nil` while it is unknown or without B.
  var lackOfFindings: String? {
    guard isDone, let b = overview.b, b.shared == 0 else { return nil }
    let days = [overview.a.columns.days, b.columns.days]
    if days.contains(where: { $0 < RateComparison.needed }) {
      let counts = zip(key.names, days).map { "\($1) of \($0)" }.joined(separator: ", ")
      return "too few device-days to tell a difference: \(counts)"
    }
    return "no differences beyond chance"
  }

  private func finding(_ family: DiagnosticFamily) -> OverviewFinding {
    let (rate, kind) = (family.rate, DiagnosticKindWords.one(family.kind))
    return OverviewFinding(
      subject: .family(family.id), sentence: family.sentence(kind: kind, names: key.names),
      isWorse: rate.isNew || !rate.isGone && rate.verdict?.isRising ?? false)
  }

  private func finding(of kind: String, _ rate: DiagnosticRate) -> OverviewFinding {
    OverviewFinding(
      subject: .kind(kind), sentence: DiagnosticKindWords.one(kind) + " rate " + rate.changeWords,
      isWorse: rate.verdict?.isRising)
  }
}

extension DiagnosticRate {
  /// `+96%: 313 (254 to 380) against 160 (…) per 1,000 device-days`.
  var changeWords: String {
    let change = change.map { NumberFormat.change($0) + ": " } ?? (isNew ? "new: " : "")
    let rates = [a.perThousandDays, b?.perThousandDays].compactMap { $0?.words }
    return change + rates.joined(separator: " against ") + " per 1,000 device-days"
  }
}

extension DiagnosticFamily {
  /// `new crash: SIGSEGV in Cart < UIKitCore, 30 of 52, 180 (121 to 256) per 1,000 device-days, none in 2.4.0`.
  ///
  /// - Parameter names: The names of A and B.
  func sentence(kind: String, names: [String]) -> String {
    let (a, b) = (names.first ?? "A", names.count > 1 ? names[1] : "B")
    let amount = { (tally: DiagnosticTally) in
      "\(NumberFormat.grouped(tally.count)) of \(NumberFormat.grouped(tally.all))"
        + (tally.perThousandDays.map { ", \($0.words) per 1,000 device-days" } ?? "")
    }
    if rate.isNew { return "new \(kind): \(label), \(amount(rate.a)), none in \(b)" }
    if rate.isGone, let other = rate.b {
      return "gone \(kind): \(label), \(amount(other)) in \(b), none in \(a)"
    }
    return "\(kind) \(label) \(rate.changeWords)"
  }
}

extension PayloadOverview.Row {
  /// `launches first draw +8.1%, slower (1.28s against 1.18s); only iPhone12,1 (1 of 5), +41%`.
  fileprivate var asFinding: OverviewFinding {
    OverviewFinding(
      subject: .figure(id), sentence: sentence,
      isWorse: isTimes ? verdict?.isRising : nil)
  }

  private var sentence: String {
    let words = verdict?.words(isTimes: isTimes) ?? ""
    if isOfCarrierAlone, let group = carrierSentence() {
      return "\(phrase) \(words), \(group); the others stayed"
    }
    let values = [a, b].compactMap { $0.map { shown($0).unit.text(shown($0).value) } }
    let change = change.map { NumberFormat.change($0) + ", " } ?? ""
    return "\(phrase) \(change)\(words) (\(values.joined(separator: " against ")))"
      + (carrierSentence().map { "; \($0)" } ?? "")
  }
}
