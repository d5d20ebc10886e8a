import Aggregation

/// How often diagnostics come on each side, and whether that differs.
struct DiagnosticRate: Sendable, Equatable {
  let a: DiagnosticTally
  /// `nil` if there is no B.
  let b: DiagnosticTally?
  /// The finding of this comparison alone; `nil` without one.
  private(set) var finding: ComparisonVerdict?
  /// The verdict that remains after the correction for all findings of the page.
  var verdict: ComparisonVerdict?

  /// Minimum number of diagnostics on both sides together: fewer cannot be more than chance.
  private static let leastCount = 6

  /// - Parameters:
  ///   - a: The diagnostics of A, by their users or payloads.
  ///   - all: Number of diagnostics of the kind on each side, of which these are a part.
  ///   - isCompared: True to test the difference, which takes a while.
  init(
    a: [String], b: [String]?, all: (a: Int, b: Int)? = nil,
    _ exposure: (a: DiagnosticExposure, b: DiagnosticExposure), isCompared: Bool
  ) {
    self.a = DiagnosticTally(sources: a, all: all?.a, exposure: exposure.a)
    self.b = b.map { DiagnosticTally(sources: $0, all: all?.b, exposure: exposure.b) }
    guard isCompared, let b, exposure.a.days > 0, exposure.b.days > 0 else { return }
    let isRare =
      a.count + b.count < Self.leastCount
      && min(exposure.a.days, exposure.b.days) >= RateComparison.needed
    finding =
      isRare
      ? .noDifference
      : RateComparison(
        Self.stretches(b, days: exposure.b.days), Self.stretches(a, days: exposure.a.days)
      ).verdict
    verdict = finding
  }

  /// The relative change of the rate from B to A; `nil` if B has none.
  var change: Double? {
    guard let b = b?.perThousandDays, let a = a.perThousandDays, b.value > 0 else { return nil }
    return a.value / b.value - 1
  }

  /// True if B has none.
  var isNew: Bool { b?.count == 0 && a.count > 0 }
  /// True if only B has any.
  var isGone: Bool { a.count == 0 && (b?.count ?? 0) > 0 }
  var isReal: Bool { verdict?.isDifference ?? false }

  mutating func believe(upTo threshold: Double?) { verdict = finding?.believed(upTo: threshold) }

  /// Each user or payload with diagnostics is a day with as many as it reports; the other device-days have none.
  private static func stretches(_ sources: [String], days: Int) -> [RateComparison.Tally] {
    let counts = Dictionary(sources.map { ($0, 1.0) }, uniquingKeysWith: +).values
    let others = max(0, days - counts.count)
    // More reports of diagnostics than device-days: scale their exposure to the number of days.
    let exposure = counts.count > days ? Double(days) / Double(counts.count) : 1
    return counts.sorted().map { .init(count: $0, exposure: exposure) }
      + Array(repeating: .init(count: 0), count: others)
  }
}
