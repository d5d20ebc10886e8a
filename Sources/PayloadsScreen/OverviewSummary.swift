import Aggregation
import DashboardCore
import History
import TelemetryCore

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
  /// The families of diagnostics read so far.
  private(set) var families: [DiagnosticFamily] = []
  /// Rates of diagnostics by kind.
  private(set) var rates: [String: DiagnosticRate] = [:]
  /// Number of diagnostics in the families.
  private(set) var grouped = 0
  /// Increased by each slice.
  private(set) var revision = 0
  private var isCompared = false

  /// - Parameter known: The previous summary: diagnostics of the same payloads are not read again.
  init(
    _ archive: PayloadArchive, _ key: Key, after known: OverviewSummary? = nil,
    symbols: (any CallStackSymbols)? = nil
  ) {
    self.key = key
    overview = PayloadOverview(
      archive, a: (key.names.first ?? "", key.a), b: key.b.map { (key.names.last ?? "", $0) })
    reader =
      known.flatMap { $0.key.payloads == key.payloads ? $0.reader : nil }
      ?? DiagnosticReader(archive, symbols: symbols)
  }

  /// True if the summary is complete.
  var isDone: Bool { overview.isDone && reader.isDone }

  /// Computes one more slice.
  mutating func proceed(_ budget: Budget = .slice) {
    overview.summarize(budget.values)
    reader.read(budget.bytes)
    revision &+= 1
    // Comparisons need all diagnostics: a part of them says nothing about their frequency.
    if reader.isDone ? !isCompared : grouped * 2 < reader.facts.count {
      grouped = reader.facts.count
      isCompared = reader.isDone
      let sides = DiagnosticSides(
        a: key.a, b: key.b, exposure: (overview.a.columns.exposure, overview.b?.columns.exposure ?? .none),
        isCompared: isCompared && overview.b?.shared == 0)
      (families, rates) = (sides.families(reader.facts), sides.rates(reader.facts))
      overview.stand(
        beside: (rates.sorted { $0.key < $1.key }.map(\.value) + families.map(\.rate)).compactMap(\.finding))
    }
    let threshold = overview.threshold
    for kind in rates.keys { rates[kind]?.believe(upTo: threshold) }
    for place in families.indices { families[place].believe(upTo: threshold) }
    families.sort(by: DiagnosticFamily.isListed)
  }
}
