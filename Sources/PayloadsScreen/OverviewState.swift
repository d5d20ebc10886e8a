import Aggregation
package import DashboardCore
import History
import Platform
import TelemetryCore

/// The user's changes to the Payloads screen, and the state they require from frame to frame.
package struct OverviewState: Sendable {
  package internal(set) var sides = ComparedSides()
  /// All recorded payloads; `nil` until they are known.
  @Versioned var payloads: PayloadArchive?
  /// The way back to the screen that requested the comparison.
  var ticket: ReturnTicket?
  /// The range chosen on other screens when this one was left.
  var rangeSeen: TimeSpan?
  /// The selected line; `nil` until there is one.
  var line: OverviewLine.ID?
  /// Lines whose folding differs from the default: sections and kinds are open, families of diagnostics are not.
  var toggled: Set<OverviewLine.ID> = []
  /// Unfolded frames in call stacks.
  var unfolded: [DiagnosticFamily.ID: Set<CallStackOutline.ID>] = [:]
  /// The first visible line.
  var offset = 0
  /// The pages opened from the list, each from the one before.
  var pages: [OverviewPage] = []
  /// The figure whose payloads another screen asked for.
  var wantedFigure: String?
  /// The requested content, derived only on changes because that takes a look at all payloads.
  var wanted = Derived<Chosen, OverviewSummary.Key?>(nil)
  var content = OverviewContent()
  /// The work under way; results of other work are ignored.
  private(set) var underWay: OverviewWork.ID?
  /// The last requested key.
  private(set) var key: OverviewSummary.Key?

  /// The choices that define the content.
  struct Chosen: Hashable, Sendable {
    let payloads: ValueVersion
    let sides: ComparedSides
    let window: Range<Timestamp>?
  }
}

extension OverviewState {
  /// Updates the lines from the known data.
  ///
  /// - Parameter rows: Number of visible lines.
  /// - Returns: The next piece of work; `nil` if it is under way, or if there is none left.
  mutating func refresh(
    _ archive: PayloadArchive, key: OverviewSummary.Key, rows: Int,
    budget: OverviewSummary.Budget = .slice, symbols: (any CallStackSymbols)? = nil
  ) -> OverviewWork? {
    // The rows of pages are indexes of what was shown.
    if key != self.key { pages = [] }
    self.key = key
    for id in content.outlines.keys where unfolded[id] == nil {
      // The stack of a crash is a single path, unfolded as a whole.
      let outline = content.outlines[id]?.outline
      unfolded[id] = outline?.rows(unfolded: []).first.map { outline?.way(from: $0.id) ?? [] }
    }
    content.list(toggled: toggled, unfolded: unfolded)
    keepSelection(rows: rows)
    guard underWay == nil else { return nil }
    let work = nextWork(archive, key, budget, symbols)
    underWay = work?.id
    return work
  }

  private func nextWork(
    _ archive: PayloadArchive, _ key: OverviewSummary.Key, _ budget: OverviewSummary.Budget,
    _ symbols: (any CallStackSymbols)?
  ) -> OverviewWork? {
    guard let summary = content.summary, summary.key == key, summary.isDone else {
      return OverviewWork(of: archive, key, after: content.summary, budget, symbols: symbols)
    }
    let open = summary.families.first { family in
      toggled.contains(.family(family.id)) && content.outlines[family.id]?.places != family.places
    }
    return open.map { OverviewWork(of: $0, in: summary) }
  }

  /// Stores the result of the work under way, unless it has been superseded.
  mutating func adopt(_ result: OverviewWork.Result) {
    guard result.id == underWay else { return }
    underWay = nil
    switch (result.outcome, result.id) {
    case (.summary(let summary), _): if summary.key == key { content.adopt(summary) }
    case (.callStacks(let outline), .callStacks(let family, _, let payloads)):
      if content.summary?.key.payloads == payloads { content.outlines[family] = outline }
    case (.callStacks, .summary): break
    }
  }

  /// Abandons the work under way; it restarts when the screen is shown again.
  mutating func abandonWork() { underWay = nil }
}

/// The content of the overview.
struct OverviewContent: Sendable {
  /// The known summary; while another one is being computed, still the previous one.
  private(set) var summary: OverviewSummary?
  /// The call stacks of opened families.
  var outlines: [DiagnosticFamily.ID: Outline] = [:]
  private var derivedLines = Derived<LinesKey, [OverviewLine]>([])
  /// The index of the selected line.
  var selected: Int?

  /// The inputs of the lines.
  struct LinesKey: Equatable, Sendable {
    let summary: OverviewSummary.Key?
    let revision: Int
    let outlines: [DiagnosticFamily.ID: [Int]]
    let toggled: Set<OverviewLine.ID>
    let unfolded: [DiagnosticFamily.ID: Set<CallStackOutline.ID>]
  }

  struct Outline: Sendable {
    let places: [Int]
    let outline: CallStackOutline
    /// Number of diagnostics whose call stacks are not included.
    let leftOut: Int
    /// The reason why functions have no names; `nil` if nothing went wrong.
    var problem: String?
  }

  init() {}

  var lines: [OverviewLine] { derivedLines.value }
  var overview: PayloadOverview? { summary?.overview }
  var families: [DiagnosticFamily] { summary?.families ?? [] }
  var rates: [String: DiagnosticRate] { summary?.rates ?? [:] }

  /// Adopts another summary, or a later state of the same one.
  mutating func adopt(_ summary: OverviewSummary) {
    // Indexes of other payloads mean something else.
    if self.summary?.key.payloads != summary.key.payloads { outlines = [:] }
    self.summary = summary
  }

  /// Rebuilds the lines if their inputs changed.
  mutating func list(
    toggled: Set<OverviewLine.ID>, unfolded: [DiagnosticFamily.ID: Set<CallStackOutline.ID>]
  ) {
    let key = LinesKey(
      summary: summary?.key, revision: summary?.revision ?? 0,
      outlines: outlines.mapValues(\.places), toggled: toggled, unfolded: unfolded)
    let list = OverviewList(content: self, toggled: toggled, unfolded: unfolded)
    derivedLines.update(for: key) { _ in list.lines }
  }
}
