import Aggregation
import DashboardCore
import TelemetryCore

/// Diagnostics with the same reason and the same programs in their first frames, on one side only.
///
/// Offsets are left out: they move with each build.
struct CrashFamily: Sendable {
  /// The number of frames that tell families apart.
  private static let frames = 5

  let words: String
  let count: Int
  /// The number of all diagnostics of the kind on this side.
  let all: Int
  let verdict: ComparisonVerdict

  /// The families of a kind that side A has and B does not, the most frequent one first.
  static func newest(_ kind: String, in summary: OverviewSummary) -> [CrashFamily] {
    guard let b = summary.key.b else { return [] }
    let days = (a: summary.overview.a.columns.days, b: summary.overview.b?.columns.days ?? 0)
    let facts = summary.reader.facts.filter { $0.kind.hasPrefix(kind) && !$0.isSimulated }
    let all = facts.filter { $0.matches(summary.key.a) }
    let known = Set(facts.filter { $0.matches(b) }.map { signature($0, summary.reader) })
    return Dictionary(grouping: all) { signature($0, summary.reader) }
      .filter { !known.contains($0.key) }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .map { words, facts in
        let rate = RateComparison(
          DiagnosticRate.stretches([], days: days.b), DiagnosticRate.stretches(facts, days: days.a))
        return CrashFamily(
          words: words, count: facts.count, all: all.count,
          verdict: days.a > 0 && days.b > 0 ? rate.verdict : .tooFew)
      }
  }

  private static func signature(_ facts: DiagnosticFacts, _ reader: DiagnosticReader) -> String {
    let stacks = reader.callStacks(of: [facts.place], limit: 1).stacks
    let programs = stacks.flatMap { stack in
      stack.frames.prefix(frames).map { frame in
        frame.binary.flatMap { stack.binaries.indices.contains($0) ? stack.binaries[$0].name : nil } ?? "?"
      }
    }
    let reason = facts.words.isEmpty ? "no reason" : facts.words
    return programs.isEmpty ? reason : "\(reason) in \(programs.joined(separator: " < "))"
  }
}
