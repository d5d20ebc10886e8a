import Aggregation
import DashboardCore
import History

/// The findings from the payloads of one or two choices, as far as computed.
///
/// Many payloads take a while, so the summary is computed in slices, off the loop: see ``OverviewWork``.
struct OverviewSummary: Sendable {
  /// The inputs of all figures.
  struct Key: Hashable, Sendable {
    /// Changes with every answer that has other payloads.
    let payloads: ValueVersion
    let a: SampleCube.Choice
    let b: SampleCube.Choice?
    let names: [String]
  }

  /// The budget of one slice: values examined, and bytes of diagnostics read.
  struct Budget: Hashable, Sendable {
    let values: Int
    let bytes: Int

    /// A few hundredths of a second.
    static let slice = Budget(values: 40_000, bytes: 1 << 20)
  }

  let key: Key
  private(set) var overview: PayloadOverview
  private(set) var reader: DiagnosticReader
  private(set) var groups: [DiagnosticGroup] = []
  /// Rates of diagnostics by kind.
  private(set) var rates: [String: DiagnosticRate] = [:]
  /// Number of diagnostics in the groups.
  private(set) var grouped = 0

  /// - Parameter known: The previous summary: diagnostics of the same payloads are not read again.
  init(_ archive: PayloadArchive, _ key: Key, after known: OverviewSummary? = nil) {
    self.key = key
    overview = PayloadOverview(
      archive, a: (key.names.first ?? "", key.a), b: key.b.map { (key.names.last ?? "", $0) })
    reader =
      known.flatMap { $0.key.payloads == key.payloads ? $0.reader : nil } ?? DiagnosticReader(archive)
  }

  /// True if the summary is complete.
  var isDone: Bool { overview.isDone && reader.isDone }

  /// Computes one more slice.
  mutating func proceed(_ budget: Budget = .slice) {
    overview.summarize(budget.values)
    reader.read(budget.bytes)
    if grouped != reader.facts.count {
      grouped = reader.facts.count
      groups = DiagnosticGroup.groups(reader.facts, a: key.a, b: key.b)
    }
    // Rates need all diagnostics: a part of them says nothing about their frequency.
    if reader.isDone, rates.isEmpty, grouped > 0, overview.b?.shared == 0 {
      rates = DiagnosticRate.rates(
        reader.facts, a: key.a, b: key.b,
        days: (overview.a.columns.days, overview.b?.columns.days ?? 0))
      overview.stand(beside: rates.sorted { $0.key < $1.key }.map(\.value.finding))
    }
    let threshold = overview.threshold
    rates = rates.mapValues { rate in
      var rate = rate
      rate.verdict = rate.finding.believed(upTo: threshold)
      return rate
    }
  }
}
