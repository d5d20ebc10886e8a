import Aggregation
import Codecs
import DashboardCore
import TerminalUI

// The window against the last hour, as figures and as two histograms.
extension LiveView {
  func drawComparison(into buffer: inout Buffer) {
    if layout.isLine(layout[.comparison]) {
      guard layout.hasBoxes else { return drawFigures(into: &buffer) }
      return Panel("No numbers to compare", look: .pane, theme: theme)
        .render(in: layout[.comparison], into: &buffer)
    }
    var panel = Panel(
      "\(DurationFormat.text(session.window)) vs \(pastTitle)", look: .pane,
      isFocused: state.pane == .comparison, theme: theme)
    panel.trailing = sampleNotes.map { Line($0, theme[.dim]) }
    panel.render(in: layout[.comparison], into: &buffer)
    let area = panel.inner(of: layout[.comparison]).inset(left: 1, right: 1)
    guard let focus = content.focus, focus.hour.moments.count > 0 else {
      let text = content.focus == nil ? "Select a metric to compare" : "There are no numbers to compare"
      buffer.write(text, at: area.origin, style: theme[.dim], limit: area.width, overflow: .ellipsis)
      return
    }
    comparisonTable(focus, width: area.width).render(in: area.inset(left: -1), into: &buffer)
    drawBins(focus, in: area.inset(top: 4), into: &buffer)
  }

  /// The baseline that the window is compared with; without a metric the title claims no particular hour.
  private var pastTitle: String {
    guard let focus = content.focus else { return "the past" }
    switch focus.hourText {
    case "all": return "all there is"
    case let past where focus.isAgainstBefore: return "the \(past == "1h" ? "hour" : past) before"
    case let past: return "the last \(past == "1h" ? "hour" : past)"
    }
  }

  /// A note if the percentiles are estimates, and the number of samples, which is dropped first.
  private var sampleNotes: [String] {
    guard let focus = content.focus, focus.hour.moments.count > 0 else { return [] }
    let isExact = focus.hour.isExact && focus.window.isExact
    let counts = [focus.window, focus.hour].map { NumberFormat.count($0.count) }
    return (isExact ? [] : ["percentiles from bins"]) + [counts.joined(separator: " and ") + " samples"]
  }

  private func comparisonTable(_ focus: LiveFocus, width: Int) -> Table {
    let unit = ComparisonUnit(focus, session.unit(of: focus.identity))
    let titles = [unit.title, "p50", "p75", "p90", "p95", "p99", "max", "avg\(signs.plusMinus)sd"]
    let wide = width >= 80 ? 9 : 7
    // Intermediate percentiles are dropped first; the median and p95 stay.
    let drops = [0, 0, 8, 7, 0, 5, 4, 6]
    let means = [focus.window, focus.hour].map { meanText($0, unit).count }
    let columns = titles.enumerated().map { index, title in
      Column(
        title, width: index == 0 ? 6 : index == 7 ? max(wide, means.max() ?? 0) : wide,
        alignment: index == 0 ? .leading : .trailing,
        dropOrder: drops[index])
    }
    let past = focus.isAgainstBefore ? "before" : focus.hourText
    let rows = [
      [Line("now", theme[.value])] + figures(focus.window, unit, margins: focus.margins, room: wide),
      [Line(past, theme[.dim])] + figures(focus.hour, unit, room: wide),
      [Line("change", theme[.dim])] + changes(focus),
    ]
    return Table(columns: columns, rows: rows.map { TableRow($0) }, theme: theme)
  }

  /// Five percentiles, the maximum, mean and spread.
  ///
  /// A percentile from a wide bin is a range, or has a `~` where a range does not fit; with fewer than twenty samples
  /// it is grey as well.
  private func figures(
    _ summary: SeriesSummary, _ unit: ComparisonUnit, margins: [ClosedRange<Double>] = [], room: Int
  ) -> [Line] {
    guard summary.moments.count > 0 else { return Array(repeating: Line("-", theme[.dim]), count: 7) }
    let isThin = summary.moments.count < LiveFocus.fewSamples
    let style = theme[isThin ? .dim : .text]
    let quantiles = summary.quantiles.enumerated().map { index, quantile -> Line in
      let bounds =
        index < margins.count ? margins[index] : quantile.lower...max(quantile.lower, quantile.upper)
      let range = "\(unit.text(bounds.lowerBound))-\(unit.text(bounds.upperBound))"
      let isWide =
        Quantile(value: quantile.value, lower: bounds.lowerBound, upper: bounds.upperBound).isWide
      let isRange = isWide && range.count <= room
      let mark = isThin || isWide ? "~" : ""
      return Line(isRange ? range : mark + unit.text(quantile.value, width: room - mark.count), style)
    }
    return quantiles + [
      Line(unit.text(summary.moments.maximum, width: room), theme[.text]),
      Line(meanText(summary, unit), style),
    ]
  }

  private func meanText(_ summary: SeriesSummary, _ unit: ComparisonUnit) -> String {
    let mean = summary.moments.mean.map(unit.text) ?? "-"
    let spread = summary.moments.standardDeviation.map(unit.text) ?? "-"
    return mean + signs.plusMinus + spread
  }

  /// The change of each figure from the hour to the window.
  private func changes(_ focus: LiveFocus) -> [Line] {
    guard focus.window.moments.count > 0 else { return [] }
    let quantiles = zip(focus.window.quantiles, focus.hour.quantiles).map { now, before in
      // Two figures that may be equal have no known difference.
      now.mayEqual(before) && now.value != before.value
        ? Line("~", theme[.dim]) : change(now.value, before.value, focus)
    }
    return quantiles + [
      change(focus.window.moments.maximum, focus.hour.moments.maximum, focus),
      change(focus.window.moments.mean ?? 0, focus.hour.moments.mean ?? 0, focus),
    ]
  }

  private func change(_ now: Double, _ before: Double, _ focus: LiveFocus) -> Line {
    guard before > 0, now >= 0 else { return Line(now == before ? "=" : "-", theme[.dim]) }
    let change = (now / before - 1) * 100
    guard change.magnitude >= 0.5 else { return Line("=", theme[.dim]) }
    let text =
      change >= 200
      ? IncidentFormatter.factor(now / before) + signs.times
      : (change > 0 ? "+" : "") + NumberFormat.text(change, decimals: 0) + "%"
    return Line(text, theme[change >= 50 ? .warning : focus.window.moments.count < 20 ? .dim : .text])
  }

  private func drawBins(_ focus: LiveFocus, in area: Rect, into buffer: inout Buffer) {
    let rows = [(DurationFormat.text(session.window), focus.windowBins), (focus.hourText, focus.hourBins)]
    let unit = session.unit(of: focus.identity)
    let low = unit.text(focus.binRange.lowerBound, width: 7)
    let high = unit.text(focus.binRange.upperBound, width: 7)
    for (index, row) in rows.enumerated() where index < area.height {
      let y = area.y + index
      buffer.write(row.0, at: Position(x: area.x, y: y), style: theme[.header], limit: 5)
      buffer.write(low, endingAt: area.x + 12, y: y, style: theme[.dim], limit: 7)
      let values = row.1.map { $0 > 0 ? Double($0) : nil }
      let spark = Sparkline(values, range: 0...Double(max(1, row.1.max() ?? 1)), theme: theme)
      let width = max(0, min(row.1.count, area.width - 21))
      buffer.write(
        spark.text(width: width), at: Position(x: area.x + 13, y: y),
        style: theme[index == 0 ? .series1 : .rail])
      buffer.write(high, at: Position(x: area.x + 14 + width, y: y), style: theme[.dim], limit: 7)
    }
  }

  /// The percentiles in one line, where the table does not fit.
  private func drawFigures(into buffer: inout Buffer) {
    guard let focus = content.focus, focus.window.quantiles.count == LiveFocus.percentiles.count else {
      return
    }
    let area = layout[.comparison].inset(left: 1)
    var parts = figureParts(focus)
    func width() -> Int { parts.reduce(-2) { $0 + $1.line.width(buffer.repertoire) + 2 } }
    while width() > area.width,
      let drop = parts.indices.max(by: { parts[$0].dropOrder < parts[$1].dropOrder })
    {
      parts.remove(at: drop)
    }
    var x = area.x
    for part in parts {
      x += buffer.write(part.line, at: Position(x: x, y: area.y), limit: max(0, area.maxX - x)) + 2
    }
  }

  /// The figures with their names; intermediate ones are dropped first.
  private func figureParts(_ focus: LiveFocus) -> [HeaderPart] {
    let (unit, window) = (session.unit(of: focus.identity), focus.window)
    let thin = window.moments.count < LiveFocus.fewSamples ? "~" : ""
    func part(_ title: String, _ text: String, drop: Int) -> HeaderPart {
      HeaderPart(line: [Span(title + " ", theme[.dim]), Span(text, theme[.text])], dropOrder: drop)
    }
    let spread = window.moments.standardDeviation.map { signs.plusMinus + unit.text($0) } ?? ""
    var parts = [("p50", 0, 0), ("p90", 2, 6), ("p95", 3, 0), ("p99", 4, 5)].map {
      title, index, drop -> HeaderPart in
      let quantile = window.quantiles[index]
      let mark = thin.isEmpty && quantile.isWide ? "~" : thin
      return part(title, mark + unit.text(quantile.value), drop: drop)
    }
    parts.append(part("max", unit.text(window.moments.maximum), drop: 2))
    parts.append(part("avg", (window.moments.mean.map(unit.text) ?? "-") + spread, drop: 4))
    parts.append(part("n", NumberFormat.count(window.count), drop: 1))
    if let last = changes(focus).dropFirst(3).first, focus.hour.moments.count > 0 {
      parts.append(
        HeaderPart(
          line: Line(
            [Span("p95 vs \(focus.isAgainstBefore ? "before" : focus.hourText) ", theme[.dim])] + last.spans),
          dropOrder: 3))
    }
    return parts
  }
}

/// The number format of the table: milliseconds without their unit, which is shown once in the corner.
private struct ComparisonUnit {
  let unit: ValueUnit
  private let isShort: Bool

  init(_ focus: LiveFocus, _ unit: ValueUnit) {
    self.unit = unit
    isShort = unit == .milliseconds && focus.hour.moments.maximum < 9999
  }

  var title: String { isShort ? "ms" : "" }

  func text(_ value: Double) -> String {
    isShort ? unit.bare(value) : unit.text(value)
  }

  func text(_ value: Double, width: Int) -> String {
    isShort ? unit.bare(value, width: width) : unit.text(value, width: width)
  }
}
