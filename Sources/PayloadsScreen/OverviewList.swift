import Aggregation
import Codecs
import TelemetryCore
import TerminalUI

/// Builds the lines of the overview from the known data and the folding.
struct OverviewList {
  let content: OverviewContent
  let toggled: Set<OverviewLine.ID>
  let unfolded: [DiagnosticFamily.ID: Set<CallStackOutline.ID>]
  /// Maximum number of findings that are listed.
  private static let findingLimit = 8

  var lines: [OverviewLine] {
    guard let overview = content.overview else { return [] }
    let rows = Dictionary(grouping: overview.rows, by: \.section)
    return findings
      + FigureSection.allCases.flatMap { section in
        self.section(section, rows[section] ?? [], section == .diagnostics ? content.families : [])
      }
  }

  // MARK: Findings

  private var findings: [OverviewLine] {
    guard let summary = content.summary, summary.overview.b != nil else { return [] }
    let findings = summary.findings
    let lack = summary.lackOfFindings
    guard !findings.isEmpty || lack != nil else { return [] }
    let isFolded = toggled.contains(.findings)
    let names = summary.key.names
    let title = OverviewLine(
      id: .findings, depth: 0,
      label: names.count > 1 ? "What changed in \(names[0]) against \(names[1])" : "What changed",
      fold: isFolded ? .collapsed : .expanded, content: .note)
    guard !isFolded else { return [title] }
    let shown = findings.prefix(Self.findingLimit).map { finding in
      OverviewLine(
        id: .finding(finding.subject), depth: 2, label: finding.sentence, fold: .leaf,
        content: .finding(isWorse: finding.isWorse))
    }
    let more = findings.count - shown.count
    let note = findings.isEmpty ? lack : more > 0 ? "and \(more) more, below" : nil
    return [title] + shown
      + (note.map { [OverviewLine(id: .findingNote, depth: 2, label: $0, fold: .leaf, content: .note)] } ?? [])
  }

  // MARK: Figures

  private func section(
    _ section: FigureSection, _ rows: [PayloadOverview.Row], _ families: [DiagnosticFamily]
  ) -> [OverviewLine] {
    guard !rows.isEmpty || !families.isEmpty else { return [] }
    let id = OverviewLine.ID.section(section)
    let isFolded = toggled.contains(id)
    var verdicts = rows.map(\.verdict)
    if !families.isEmpty { verdicts += content.rates.values.map(\.verdict) + families.map(\.rate.verdict) }
    let real = verdicts.count { $0?.isDifference ?? false }
    let title = OverviewLine(
      id: id, depth: 0, label: section.title, fold: isFolded ? .collapsed : .expanded,
      content: .section(hidden: isFolded ? rows.count + families.count : 0, real: real))
    guard !isFolded else { return [title] }
    let figures = rows.map { row in
      OverviewLine(id: .figure(row.id), depth: 2, label: row.label, fold: .leaf, content: .figure(row))
    }
    return [title] + kinds(families) + figures
  }

  // MARK: Diagnostics

  private func kinds(_ families: [DiagnosticFamily]) -> [OverviewLine] {
    var lines: [OverviewLine] = []
    var rest = families[...]
    while let first = rest.first {
      let members = rest.prefix { $0.kind == first.kind }
      rest = rest.dropFirst(members.count)
      let id = OverviewLine.ID.kind(first.kind)
      let isFolded = toggled.contains(id)
      let isByFunction = members.contains { $0.id.signature.isByFunction }
      lines.append(
        OverviewLine(
          id: id, depth: 2,
          label: DiagnosticKindWords.title(first.kind) + (isByFunction ? " by function" : " by module"),
          fold: isFolded ? .collapsed : .expanded,
          content: content.rates[first.kind].map { .rate($0) } ?? .rest(count: members.count)))
      if !isFolded { lines += self.families(members, of: first.kind) }
    }
    return lines
  }

  /// Number of families of a kind that are shown without unfolding.
  private static func limit(_ kind: String) -> Int { DiagnosticKindWords.isCrash(kind) ? 3 : 1 }

  private func families(_ families: ArraySlice<DiagnosticFamily>, of kind: String) -> [OverviewLine] {
    let limit = max(Self.limit(kind), min(3, families.count(where: \.rate.isReal)))
    let shown = families.count == limit + 1 ? families : families.prefix(limit)
    let hidden = families.dropFirst(shown.count)
    let lines = shown.flatMap(family)
    guard !hidden.isEmpty else { return lines }
    let isOpen = toggled.contains(.rest(kind))
    let rest = OverviewLine(
      id: .rest(kind), depth: 4, label: "\(NumberFormat.grouped(hidden.count)) more",
      fold: isOpen ? .expanded : .collapsed, content: .rest(count: hidden.count))
    return lines + [rest] + (isOpen ? hidden.flatMap(family) : [])
  }

  private func family(_ family: DiagnosticFamily) -> [OverviewLine] {
    let isOpen = toggled.contains(.family(family.id))
    let head = OverviewLine(
      id: .family(family.id), depth: 4, label: family.label, fold: isOpen ? .expanded : .collapsed,
      content: .rate(family.rate))
    guard isOpen else { return [head] }
    return [head]
      + FamilyLines(family: family, names: content.summary?.key.names ?? []).lines
      + nodes(family.id)
  }

  private func nodes(_ family: DiagnosticFamily.ID) -> [OverviewLine] {
    guard let known = content.outlines[family] else { return [] }
    let rows = known.outline.rows(unfolded: unfolded[family] ?? [])
    let nodes = rows.map { row in
      OverviewLine(
        id: .node(family, row.id), depth: row.depth, label: row.name,
        fold: row.isFoldable ? row.isUnfolded ? .expanded : .collapsed : .leaf,
        content: .node(total: row.total, own: row.own, share: row.share))
    }
    let titles = OverviewLine(
      id: .nodeTitles(family), depth: 6, label: DiagnosticKindWords.order(family.signature.kind), fold: .leaf,
      content: .nodeTitles)
    let note = Self.note(known, isEmpty: rows.isEmpty)
    let list = nodes.isEmpty ? [] : [titles] + nodes
    guard !note.isEmpty else { return list }
    return list + [OverviewLine(id: .note(family), depth: 6, label: note, fold: .leaf, content: .note)]
  }

  /// A note on parts missing from the call stacks.
  private static func note(_ known: OverviewContent.Outline, isEmpty: Bool) -> String {
    let counts = [
      (known.leftOut, "older diagnostics"), (known.outline.stacksLeftOut, "stacks of threads not to blame"),
      (known.outline.framesLeftOut, "frames"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\(NumberFormat.grouped($0.0)) \($0.1)" }
    let leftOut = parts.isEmpty ? "" : "left out: " + parts.joined(separator: ", ")
    let notes = [isEmpty && leftOut.isEmpty ? "no call stacks" : leftOut, known.problem ?? ""]
    return notes.filter { !$0.isEmpty }.joined(separator: "; ")
  }
}

/// The facts about a family below its line.
struct FamilyLines {
  let family: DiagnosticFamily
  /// The names of A and B.
  let names: [String]

  /// Maximum number of reasons, and of places, that are listed.
  private static let limit = 4

  var lines: [OverviewLine] {
    let facts = ([family.releaseWords] + sides + [family.mostWords]).compactMap(\.self).enumerated()
      .map { number, text in line(.fact(family.id, number), text, .note) }
    let reasons = family.reasons.prefix(Self.limit).enumerated().map { number, reason in
      line(.reason(family.id, number), reason.words, .reason(count: reason.count))
    }
    let places = family.exact.prefix(Self.limit).enumerated().map { number, exact in
      line(
        .exact(family.id, number), "\(exact.place.signature.words) in \(exact.place.release.words)",
        .reason(count: exact.count))
    }
    return facts + reasons + places
  }

  private func line(_ id: OverviewLine.ID, _ label: String, _ content: OverviewLine.Content) -> OverviewLine {
    OverviewLine(id: id, depth: 6, label: label, fold: .leaf, content: content)
  }

  /// `2.4.1: 30 of 52 (58%), 180 (121 to 256) per 1,000 device-days, 88 (59 to 126) per 1,000 foreground hours`.
  private var sides: [String] {
    zip(names, [family.rate.a, family.rate.b].compactMap(\.self)).map { name, tally in
      let share = tally.share.map { " (\(NumberFormat.share($0)))" } ?? ""
      let rates = [
        tally.perThousandDays.map { ", \($0.words) per 1,000 device-days" },
        tally.perThousandHours.map { ", \($0.words) per 1,000 foreground hours" },
        tally.exposure.noteOnHours.map { "; \($0)" },
      ].compactMap(\.self).joined()
      return
        "\(name): \(NumberFormat.grouped(tally.count)) of \(NumberFormat.grouped(tally.all))\(share)\(rates)"
    }
  }
}
