import Aggregation
package import DashboardCore
import History
import Platform
import TelemetryCore

/// The person's changes to the screen of payloads, and the state kept from frame to frame because of them.
package struct OverviewState: Sendable {
  package internal(set) var sides = ComparedSides()
  /// All that is recorded of payloads; `nil` until it is known.
  @Versioned var payloads: PayloadArchive?
  /// The way back to the screen that asked for the comparison.
  var ticket: ReturnTicket?
  /// The range that was chosen on other screens when this one was left.
  var rangeSeen: TimeSpan?
  /// The selected line; `nil` until there is one.
  var line: OverviewLine.ID?
  /// Lines that are not folded as they usually are: sections and kinds are open, versions of diagnostics are not.
  var toggled: Set<OverviewLine.ID> = []
  /// Places in call stacks below which more is shown.
  var unfolded: [DiagnosticGroup.ID: Set<CallStackOutline.ID>] = [:]
  /// The first line that is seen.
  var offset = 0
  /// The content to be shown; finding it out takes a look at all payloads.
  var wanted = Derived<Chosen, OverviewSummary.Key?>(nil)
  var content = OverviewContent()
  /// The work under way; its result alone is waited for.
  private(set) var underWay: OverviewWork.ID?
  /// The last requested key.
  private var key: OverviewSummary.Key?

  /// The choices that decide what is shown.
  struct Chosen: Hashable, Sendable {
    let payloads: ValueVersion
    let sides: ComparedSides
    let window: Range<Timestamp>?
  }
}

extension OverviewState {
  /// Brings the lines up to date with what is known.
  ///
  /// - Parameter rows: Lines that are seen at once.
  /// - Returns: The work that is to be done next; `nil` where it is under way, or nothing is left to do.
  mutating func refresh(
    _ archive: PayloadArchive, key: OverviewSummary.Key, rows: Int,
    budget: OverviewSummary.Budget = .slice
  ) -> OverviewWork? {
    self.key = key
    for id in content.outlines.keys where unfolded[id] == nil {
      // The stack of a crash is one way from its first frame to its last.
      let outline = content.outlines[id]?.outline
      unfolded[id] = outline?.rows(unfolded: []).first.map { outline?.way(from: $0.id) ?? [] }
    }
    content.list(toggled: toggled, unfolded: unfolded)
    keepSelection(rows: rows)
    guard underWay == nil else { return nil }
    let work = nextWork(archive, key, budget)
    underWay = work?.id
    return work
  }

  private func nextWork(
    _ archive: PayloadArchive, _ key: OverviewSummary.Key, _ budget: OverviewSummary.Budget
  ) -> OverviewWork? {
    guard let summary = content.summary, summary.key == key, summary.isDone else {
      return OverviewWork(of: archive, key, after: content.summary, budget)
    }
    let open = summary.groups.first { group in
      toggled.contains(.group(group.id)) && content.outlines[group.id]?.places != group.places
    }
    return open.map { OverviewWork(of: $0, in: summary) }
  }

  /// Keeps the result of the work under way, where it is still wanted.
  mutating func adopt(_ result: OverviewWork.Result) {
    guard result.id == underWay else { return }
    underWay = nil
    switch (result.outcome, result.id) {
    case (.summary(let summary), _): if summary.key == key { content.adopt(summary) }
    case (.callStacks(let outline), .callStacks(let group, _, let payloads)):
      if content.summary?.key.payloads == payloads { content.outlines[group] = outline }
    case (.callStacks, .summary): break
    }
  }

  /// Waits no longer for the work under way: when the screen is shown again it is begun again.
  mutating func abandonWork() { underWay = nil }
}

/// The content of the overview.
struct OverviewContent: Sendable {
  /// The known summary; while something else is being summarized, still the one shown before.
  private(set) var summary: OverviewSummary?
  /// The call stacks of groups that were opened.
  var outlines: [DiagnosticGroup.ID: Outline] = [:]
  private var derivedLines = Derived<LinesKey, [OverviewLine]>([])
  /// The place of the selected line.
  var selected: Int?

  /// The inputs that the lines depend on.
  struct LinesKey: Equatable, Sendable {
    let summary: OverviewSummary.Key?
    let summarized: Int
    let grouped: Int
    let rates: [String: DiagnosticRate]
    let outlines: [DiagnosticGroup.ID: [Int]]
    let toggled: Set<OverviewLine.ID>
    let unfolded: [DiagnosticGroup.ID: Set<CallStackOutline.ID>]
  }

  struct Outline: Sendable {
    let places: [Int]
    let outline: CallStackOutline
    /// Diagnostics whose call stacks are not in it.
    let leftOut: Int
  }

  init() {}

  var lines: [OverviewLine] { derivedLines.value }
  var overview: PayloadOverview? { summary?.overview }
  var groups: [DiagnosticGroup] { summary?.groups ?? [] }
  var rates: [String: DiagnosticRate] { summary?.rates ?? [:] }

  /// Shows another summary, or a later state of the same.
  mutating func adopt(_ summary: OverviewSummary) {
    // Other payloads have other places.
    if self.summary?.key.payloads != summary.key.payloads { outlines = [:] }
    self.summary = summary
  }

  /// Puts the lines together, where something changed.
  mutating func list(
    toggled: Set<OverviewLine.ID>, unfolded: [DiagnosticGroup.ID: Set<CallStackOutline.ID>]
  ) {
    let key = LinesKey(
      summary: summary?.key, summarized: overview?.summarized ?? 0, grouped: summary?.grouped ?? 0,
      rates: rates, outlines: outlines.mapValues(\.places), toggled: toggled, unfolded: unfolded)
    let list = OverviewList(content: self, toggled: toggled, unfolded: unfolded)
    derivedLines.update(for: key) { _ in list.lines }
  }
}
