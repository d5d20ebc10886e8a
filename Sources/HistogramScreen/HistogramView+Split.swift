import Aggregation
import Codecs
import DashboardCore
import TelemetryCore
import TerminalUI

// A's samples by their values in a dimension.
extension HistogramView {
  func drawSplit(into buffer: inout Buffer) {
    let others =
      shown.dimensions.filter { $0 != shown.group }
      + shown.fieldsGivenUp.prefix(3).map { "(too many: \($0))" }
    let hint = others.isEmpty ? "" : session.keyHint("d or by \(others.joined(separator: ", "))")
    drawPanel(
      shown.group.map { "Split by \($0)\(shownOf)" } ?? "Split",
      trailing: shown.groups.isEmpty ? "no text or bool field to split by" : hint, pane: .split, into: &buffer
    )
    let area = layout.inner(of: layout[.split])
    guard let group = shown.group, !shown.groups.isEmpty else { return }
    let groups = shown.groups
    let cursor = screen.cursor(.split, groups.count)
    let isFront = state.pane == .split && layout.panes.count > 1
    let rows = max(0, area.height - 1)
    let table = Table(
      columns: splitColumns(group, width: area.width), rows: groups.map { TableRow(cells($0)) },
      selection: isFront ? cursor : nil,
      offset: Table.offset(showing: cursor, of: groups.count, height: rows, from: 0), theme: theme)
    table.render(in: area, into: &buffer)
  }

  /// ` 3 of 5`, if not all groups are visible.
  private var shownOf: String {
    let seen = min(shown.groups.count, max(0, layout.inner(of: layout[.split]).height - 1))
    return seen < shown.groupCount ? "  \(seen) of \(NumberFormat.count(shown.groupCount))" : ""
  }

  private func splitColumns(_ group: String, width: Int) -> [Column] {
    let name = min(24, shown.groups.reduce(group.count) { max($0, $1.value.words.count) } + 1)
    return [
      Column(group, width: name), Column("n", width: 8, alignment: .trailing),
      Column("share", width: 7, alignment: .trailing, dropOrder: 5),
      Column("avg", width: 8, alignment: .trailing, dropOrder: 3),
      Column("p50", width: 10, alignment: .trailing, dropOrder: 2),
      Column("p95", width: 10, alignment: .trailing),
      Column("p99", width: 10, alignment: .trailing, dropOrder: 4),
      Column("  A shape", width: max(9, min(28, shown.groups.first?.shape.count ?? 8) + 2), dropOrder: 6),
      Column(figures?.b == nil ? "" : "vs B", width: 20, isFlexible: true, dropOrder: 1),
    ]
  }

  private func cells(_ group: HistogramContent.Group) -> [Line] {
    let style = theme[group.isFew ? .dim : .text]
    let quantiles = [50.0, 95, 99].enumerated().map { index, percentile -> Line in
      guard group.quantiles.indices.contains(index) else { return Line("-", style) }
      let isStated = group.count >= TimePercentile.samplesNeeded(forPercentile: percentile)
      let text =
        isStated
        ? formatter.quantile(group.quantiles[index], spread: nil, isStated: true, room: 10)
        : "n \(group.count): ~"
      return Line(text, isStated ? style : theme[.dim])
    }
    let top = Double(max(1, group.shape.max() ?? 1))
    let spark = Sparkline(group.shape.map { $0 > 0 ? Double($0) : nil }, range: 0...top, theme: theme)
      .text(width: min(28, group.shape.count))
    return [
      Line(group.value.words, theme[group.isFew ? .dim : .header]),
      Line(NumberFormat.grouped(group.count), style),
      Line(NumberFormat.text(group.share * 100, decimals: 1) + "%", style),
      Line(group.average.map(unit.figure) ?? "-", style),
    ] + quantiles + [Line("  " + spark, theme[.series1]), Line(" " + conclusion(group), theme[.text])]
  }

  /// `+9% slower`, `new hump !`, `~` for no difference, `-` for nothing to compare.
  func conclusion(_ group: HistogramContent.Group) -> String {
    guard let verdict = group.verdict, let words = shown.verdict?.words else {
      return figures?.b == nil ? "" : "-"
    }
    let change = group.change.map { NumberFormat.change($0) + " " } ?? ""
    let word = verdict.isRising ? words.rise : words.fall
    let sign = isWorse(group) ? " !" : ""
    return switch verdict.finding {
    case .noDifference: "~"
    case .tooFew: "few"
    case .middle: "\(change)\(word)"
    case .tail: "tail \(word)\(sign)"
    case .secondHump: "new hump\(sign)"
    }
  }

  /// True if the conclusion for a group is a change for the worse.
  private func isWorse(_ group: HistogramContent.Group) -> Bool {
    guard let verdict = group.verdict, verdict.isDifference, let words = shown.verdict?.words else {
      return false
    }
    return words.isWorse(rising: verdict.isRising)
  }

  // MARK: One line each

  /// Groups and versions, if they have no panes of their own.
  func drawLines(into buffer: inout Buffer) {
    let area = layout[.lines]
    guard area.height >= 3 else { return }
    Panel(look: .rule, theme: theme).render(in: area.row(0), into: &buffer)
    var groups = Line()
    for group in shown.groups.prefix(6) {
      let p95 =
        group.quantiles.count > 1 && !group.isFew ? " p95 \(formatter.estimate(group.quantiles[1]))" : " ~"
      let sign = isWorse(group) ? " !" : ""
      groups.append(group.value.words, theme[.header])
      groups.append(" \(NumberFormat.text(group.share * 100, decimals: 1))%\(p95)\(sign)   ", theme[.text])
    }
    var versions = Line()
    for version in shown.versions.prefix(6) {
      let figures =
        version.isFew
        ? "n \(version.count)"
        : "\(version.average.map(unit.figure) ?? "-")/\(version.p95.map { unit.figure($0.value) } ?? "-")"
      versions.append(version.name, theme[.header])
      versions.append(" \(figures)   ", theme[.text])
    }
    let lines: [Line] = [
      Line([Span("by \(shown.group ?? "-")".padding(to: 13), theme[.dim])] + groups.spans),
      Line(
        [Span("by version".padding(to: 13), theme[.dim])]
          + (shown.versions.isEmpty ? [Span("-", theme[.dim])] : versions.spans)),
    ]
    for (index, line) in lines.enumerated() {
      buffer.write(
        line, at: Position(x: area.x, y: area.y + 1 + index), limit: area.width, overflow: .ellipsis)
    }
  }

  // MARK: One metric

  func drawTiny(into buffer: inout Buffer) {
    let area = Rect(size: session.size)
    guard let figures, !area.isEmpty else { return }
    buffer.write(
      metricName, at: area.origin, style: theme[.title], limit: max(0, area.width - 2), overflow: .ellipsis)
    buffer.write(session.keyText("?"), at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
    let top = max(1e-9, figures.rows.reduce(0) { max($0, $1.shareA) })
    let spark = Sparkline(figures.rows.map { $0.shareA > 0 ? $0.shareA : nil }, range: 0...top, theme: theme)
    func line(_ letter: String, _ side: HistogramSide) -> Line {
      let found = side.quantiles([50, 95]).map(formatter.estimate)
      return [
        Span("\(letter) ", theme[.header]), Span(found.joined(separator: " / "), theme[.value]),
        Span(" n \(NumberFormat.count(side.count))", theme[.dim]),
      ]
    }
    var lines = [line("A", figures.a)]
    if let b = figures.b { lines.append(line("B", b)) }
    lines.append(shown.verdict.map { Line($0.brief, verdictStyle) } ?? Line("p50 / p95", theme[.dim]))
    lines.append(Line(spark.text(width: area.width), theme[.series1]))
    for (index, line) in lines.enumerated() where index + 1 < area.height {
      buffer.write(line, at: Position(x: 0, y: index + 1), limit: area.width, overflow: .ellipsis)
    }
  }
}
