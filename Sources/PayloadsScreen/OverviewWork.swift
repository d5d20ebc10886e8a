import DashboardCore
import History
import TelemetryCore

/// A piece of work for the overview that takes longer than a frame; its result comes back as a message.
struct OverviewWork: Sendable {
  /// The identity of a piece of work.
  enum ID: Hashable, Sendable {
    /// A slice of the summary, identified by the progress before it.
    case summary(OverviewSummary.Key, summarized: Int, read: Int)
    /// The call stacks of some diagnostics, by their indexes in an archive.
    case callStacks(DiagnosticFamily.ID, places: [Int], payloads: ValueVersion)
  }

  struct Result: Sendable {
    let id: ID
    let outcome: Outcome
  }

  enum Outcome: Sendable {
    case summary(OverviewSummary)
    case callStacks(OverviewContent.Outline)
  }

  let id: ID
  private let outcome: @Sendable () -> Outcome

  func run() -> Result { Result(id: id, outcome: outcome()) }
}

extension OverviewWork {
  /// Maximum number of bytes of call stacks that are merged.
  private static let stackLimit = 4 << 20

  /// The first or the next slice of a summary.
  init(
    of archive: PayloadArchive, _ key: OverviewSummary.Key, after known: OverviewSummary?,
    _ budget: OverviewSummary.Budget, symbols: (any CallStackSymbols)? = nil
  ) {
    let same = known.flatMap { $0.key == key ? $0 : nil }
    id = .summary(key, summarized: same?.overview.summarized ?? 0, read: same?.reader.position ?? 0)
    outcome = {
      var summary = same ?? OverviewSummary(archive, key, after: known, symbols: symbols)
      summary.proceed(budget)
      return .summary(summary)
    }
  }

  /// Merges the call stacks of a family.
  init(of family: DiagnosticFamily, in summary: OverviewSummary) {
    let (places, reader) = (family.places, summary.reader)
    let beginsInnermost = RecordedCallStacks.beginsInnermost(family.kind)
    id = .callStacks(family.id, places: places, payloads: summary.key.payloads)
    outcome = {
      let found = reader.callStacks(of: places, limit: Self.stackLimit)
      return .callStacks(
        OverviewContent.Outline(
          places: places, outline: CallStackOutline(found.stacks, beginsInnermost: beginsInnermost),
          leftOut: found.leftOut, problem: reader.symbolProblem))
    }
  }
}
