import Aggregation
import Codecs
import TelemetryCore
import TerminalUI

/// Builds the lines of the overview from the known data and the folding.
struct OverviewList {
  let content: OverviewContent
  let toggled: Set<OverviewLine.ID>
  let unfolded: [DiagnosticGroup.ID: Set<CallStackOutline.ID>]
  /// Maximum number of reasons listed for a group.
  private static let reasonLimit = 8

  var lines: [OverviewLine] {
    guard let overview = content.overview else { return [] }
    let rows = Dictionary(grouping: overview.rows, by: \.section)
    return OverviewSection.allCases.flatMap { section in
      self.section(section, rows[section] ?? [], section == .diagnostics ? content.groups : [])
    }
  }

  private func section(
    _ section: OverviewSection, _ rows: [PayloadOverview.Row], _ groups: [DiagnosticGroup]
  ) -> [OverviewLine] {
    guard !rows.isEmpty || !groups.isEmpty else { return [] }
    let id = OverviewLine.ID.section(section)
    let isFolded = toggled.contains(id)
    let verdicts = rows.map(\.verdict) + (groups.isEmpty ? [] : content.rates.values.map(\.verdict))
    let real = verdicts.count { $0?.isDifference ?? false }
    let title = OverviewLine(
      id: id, depth: 0, label: section.title, fold: isFolded ? .collapsed : .expanded,
      content: .section(hidden: isFolded ? rows.count : 0, real: real))
    guard !isFolded else { return [title] }
    let figures = rows.map { row in
      OverviewLine(id: .figure(row.id), depth: 2, label: row.label, fold: .leaf, content: .figure(row))
    }
    return [title] + figures + kinds(groups)
  }

  // MARK: Diagnostics

  private func kinds(_ groups: [DiagnosticGroup]) -> [OverviewLine] {
    var lines: [OverviewLine] = []
    var rest = groups[...]
    while let first = rest.first {
      let members = rest.prefix { $0.id.kind == first.id.kind }
      rest = rest.dropFirst(members.count)
      let id = OverviewLine.ID.kind(first.id.kind)
      let isFolded = toggled.contains(id)
      lines.append(
        OverviewLine(
          id: id, depth: 2, label: DiagnosticKindWords.title(first.id.kind),
          fold: isFolded ? .collapsed : .expanded, content: Self.counts(members, content.rates[first.id.kind])
        ))
      if !isFolded { lines += members.flatMap(group) }
    }
    return lines
  }

  private static func counts(_ groups: ArraySlice<DiagnosticGroup>, _ rate: DiagnosticRate? = nil)
    -> OverviewLine.Content
  {
    .counts(
      a: groups.reduce(0) { $0 + $1.countA }, b: groups.reduce(0) { $0 + $1.countB }, rate: rate)
  }

  private func group(_ group: DiagnosticGroup) -> [OverviewLine] {
    let isOpen = toggled.contains(.group(group.id))
    let head = OverviewLine(
      id: .group(group.id), depth: 4, label: group.label, fold: isOpen ? .expanded : .collapsed,
      content: Self.counts([group]))
    guard isOpen else { return [head] }
    let reasons = group.reasons.prefix(Self.reasonLimit).enumerated().map { number, reason in
      OverviewLine(
        id: .reason(group.id, number), depth: 6, label: reason.words, fold: .leaf,
        content: .reason(count: reason.count))
    }
    let most = group.mostWords.map { words in
      OverviewLine(id: .most(group.id), depth: 6, label: words, fold: .leaf, content: .note)
    }
    return [head] + (most.map { [$0] } ?? []) + reasons + nodes(group.id)
  }

  private func nodes(_ group: DiagnosticGroup.ID) -> [OverviewLine] {
    guard let known = content.outlines[group] else { return [] }
    let rows = known.outline.rows(unfolded: unfolded[group] ?? [])
    let nodes = rows.map { row in
      OverviewLine(
        id: .node(group, row.id), depth: row.depth, label: row.name,
        fold: row.isFoldable ? row.isUnfolded ? .expanded : .collapsed : .leaf,
        content: .node(total: row.total, own: row.own, share: row.share))
    }
    let titles = OverviewLine(
      id: .nodeTitles(group), depth: 6, label: DiagnosticKindWords.order(group.kind), fold: .leaf,
      content: .nodeTitles)
    let note = Self.note(known, isEmpty: rows.isEmpty)
    let list = nodes.isEmpty ? [] : [titles] + nodes
    guard !note.isEmpty else { return list }
    return list + [OverviewLine(id: .note(group), depth: 6, label: note, fold: .leaf, content: .note)]
  }

  /// A note on parts missing from the call stacks.
  private static func note(_ known: OverviewContent.Outline, isEmpty: Bool) -> String {
    let counts = [
      (known.leftOut, "older diagnostics"), (known.outline.stacksLeftOut, "stacks of threads not to blame"),
      (known.outline.framesLeftOut, "frames"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\(NumberFormat.grouped($0.0)) \($0.1)" }
    let leftOut = parts.isEmpty ? "" : "left out: " + parts.joined(separator: ", ")
    return isEmpty && leftOut.isEmpty ? "no call stacks" : leftOut
  }
}
