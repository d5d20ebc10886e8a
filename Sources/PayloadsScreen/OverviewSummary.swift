import Aggregation
import DashboardCore
import History

/// The findings from the payloads of one or two choices, as far as they are known.
///
/// Many payloads take a while, so all of it is made a slice at a time, beside the loop: see ``OverviewWork``.
struct OverviewSummary: Sendable {
  /// The inputs that all figures depend on.
  struct Key: Hashable, Sendable {
    /// Grows with every answer that has other payloads.
    let payloads: ValueVersion
    let a: SampleCube.Choice
    let b: SampleCube.Choice?
    let names: [String]
  }

  /// How much one slice takes: values that are looked at, and bytes of diagnostics that are read.
  struct Budget: Hashable, Sendable {
    let values: Int
    let bytes: Int

    /// Some hundredths of a second.
    static let slice = Budget(values: 40_000, bytes: 1 << 20)
  }

  let key: Key
  private(set) var overview: PayloadOverview
  private(set) var reader: DiagnosticReader
  private(set) var groups: [DiagnosticGroup] = []
  /// How often diagnostics of each kind come.
  private(set) var rates: [String: DiagnosticRate] = [:]
  /// How many diagnostics the groups are of.
  private(set) var grouped = 0

  /// - Parameter known: What was known before: diagnostics of the same payloads are not read again.
  init(_ archive: PayloadArchive, _ key: Key, after known: OverviewSummary? = nil) {
    self.key = key
    overview = PayloadOverview(
      archive, a: (key.names.first ?? "", key.a), b: key.b.map { (key.names.last ?? "", $0) })
    reader =
      known.flatMap { $0.key.payloads == key.payloads ? $0.reader : nil } ?? DiagnosticReader(archive)
  }

  /// True if nothing is left to be summarized.
  var isDone: Bool { overview.isDone && reader.isDone }

  /// Summarizes one slice more.
  mutating func proceed(_ budget: Budget = .slice) {
    overview.summarize(budget.values)
    reader.read(budget.bytes)
    if grouped != reader.facts.count {
      grouped = reader.facts.count
      groups = DiagnosticGroup.groups(reader.facts, a: key.a, b: key.b)
    }
    // Some of them tell nothing of how often they come.
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
