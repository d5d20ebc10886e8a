import Aggregation
import DashboardCore
import TelemetryCore

/// How often diagnostics of a kind come in a device-day of either side.
struct DiagnosticRate: Sendable, Equatable {
  let countA: Int
  let countB: Int
  /// Device-days of both sides: payloads of metrics.
  let daysA: Int
  let daysB: Int
  let finding: ComparisonVerdict
  /// The verdict left of the finding among all of its page.
  var verdict: ComparisonVerdict?

  /// By what part of B's rate A's is larger; `nil` where B has none.
  var change: Double? {
    guard countB > 0, daysA > 0, daysB > 0 else { return nil }
    return Double(countA) / Double(daysA) / (Double(countB) / Double(daysB)) - 1
  }

  /// Real diagnostics by kind, where both sides have device-days; what a simulation made is not compared.
  ///
  /// Payloads of diagnostics are days with as many as they tell of; the other device-days have none.
  static func rates(
    _ facts: [DiagnosticFacts], a: SampleCube.Choice, b: SampleCube.Choice?, days: (a: Int, b: Int)
  ) -> [String: DiagnosticRate] {
    guard let b, days.a > 0, days.b > 0 else { return [:] }
    return Dictionary(grouping: facts.filter { !$0.isSimulated }, by: \.kind).mapValues { facts in
      let (mine, other) = (facts.filter { $0.matches(a) }, facts.filter { $0.matches(b) })
      let rates = RateComparison(stretches(other, days: days.b), stretches(mine, days: days.a))
      return DiagnosticRate(
        countA: mine.count, countB: other.count, daysA: days.a, daysB: days.b,
        finding: rates.verdict)
    }
  }

  private static func stretches(_ facts: [DiagnosticFacts], days: Int) -> [RateComparison.Tally] {
    let counts = Dictionary(facts.map { ($0.source, 1.0) }, uniquingKeysWith: +).values
    let others = max(0, days - counts.count)
    // More payloads of diagnostics than device-days share these.
    let exposure = counts.count > days ? Double(days) / Double(counts.count) : 1
    return counts.sorted().map { .init(count: $0, exposure: exposure) }
      + Array(repeating: .init(count: 0), count: others)
  }
}
