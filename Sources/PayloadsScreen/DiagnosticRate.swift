import Aggregation
import DashboardCore
import TelemetryCore

/// The rate of diagnostics of a kind per device-day on each side.
struct DiagnosticRate: Sendable, Equatable {
  let countA: Int
  let countB: Int
  /// Device-days of both sides, which are the metric payloads.
  let daysA: Int
  let daysB: Int
  let finding: ComparisonVerdict
  /// The verdict that remains after the correction for all findings of the page.
  var verdict: ComparisonVerdict?

  /// The relative change of the rate from B to A; `nil` if B has none.
  var change: Double? {
    guard countB > 0, daysA > 0, daysB > 0 else { return nil }
    return Double(countA) / Double(daysA) / (Double(countB) / Double(daysB)) - 1
  }

  /// The rates of real diagnostics by kind, if both sides have device-days; simulated ones are not compared.
  ///
  /// Each payload of diagnostics is a day with as many as it reports; the other device-days have none.
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

  static func stretches(_ facts: [DiagnosticFacts], days: Int) -> [RateComparison.Tally] {
    let counts = Dictionary(facts.map { ($0.source, 1.0) }, uniquingKeysWith: +).values
    let others = max(0, days - counts.count)
    // More payloads of diagnostics than device-days: scale their exposure to the number of days.
    let exposure = counts.count > days ? Double(days) / Double(counts.count) : 1
    return counts.sorted().map { .init(count: $0, exposure: exposure) }
      + Array(repeating: .init(count: 0), count: others)
  }
}
