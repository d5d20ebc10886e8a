import Aggregation
import Codecs
import DashboardCore
import QueryLanguage
import TelemetryCore
import TerminalUI

// Averages and percentiles of both sides, and the sentence.
extension HistogramView {
  var formatter: HistogramFormatter {
    HistogramFormatter(
      unit: unit, plusMinus: signs.plusMinus, hasBins: figures?.a.hasBins ?? false,
      isClear: shown.verdict?.isDifference ?? false)
  }

  private var limit: MetricLimit? { state.subject.flatMap { session.limits.drawn(of: $0.name, in: unit) } }

  private func isOverLimit(_ percentile: HistogramFigures.Percentile) -> Bool {
    guard let limit, let value = percentile.a?.value, let least = limit.figure.percent else { return false }
    return !limit.isFloor && percentile.percentile >= least && value > limit.bound
  }

  func drawFigures(into buffer: inout Buffer) {
    guard let figures else { return }
    if layout.hasBoxes || layout.alone == .figures {
      drawPanel(
        "Averages and percentiles", trailing: figures.b == nil ? "A" : "A vs B", pane: .figures, into: &buffer
      )
      drawFigureRows(figures, in: layout.inner(of: layout[.figures]).inset(left: 1, right: 1), into: &buffer)
    } else {
      drawFigureColumns(figures, in: layout[.figures], into: &buffer)
    }
  }

  // MARK: One figure per row

  /// A figure of both sides with its change.
  private struct Row {
    let title: String
    let a: String
    let b: String
    var change = ""
    var isThin = false
  }

  private func drawFigureRows(_ figures: HistogramFigures, in area: Rect, into buffer: inout Buffer) {
    let hasB = figures.b != nil
    let room = max(8, hasB ? (area.width - 20) / 2 : area.width - 10)
    let rows = figureRows(figures, room: room)
    let columns =
      [Column("", width: 8), Column("A \(figures.a.name)", width: room)]
      + (hasB
        ? [
          Column("B \(figures.b?.name ?? "")", width: room),
          Column("change", width: 11, alignment: .trailing),
        ] : [])
    let table = Table(
      columns: columns,
      rows: rows.map { row in
        TableRow([
          Line(row.title, theme[.header]), Line(row.a, theme[row.isThin ? .dim : .value]),
          Line(row.b, theme[row.isThin ? .dim : .text]), Line(row.change, changeStyle(row.change)),
        ])
      }, theme: theme)
    table.render(in: area.inset(left: -1), into: &buffer)
    let notes = self.notes(figures)
    let sentence = layout[.verdict].isEmpty ? shown.verdict?.sentence : nil
    let verdict = sentence.map { TextWrap.lines("VERDICT  " + $0, width: area.width) } ?? []
    let first = area.y + min(area.height, rows.count + 1)
    let lines =
      notes.flatMap { TextWrap.lines($0, width: area.width) }.map { Line($0, theme[.dim]) }
    let free = area.maxY - first
    // The sentence is at the bottom; notes on the figures get the remaining space.
    let foot = verdict.prefix(max(0, free))
    let middle = lines.prefix(max(0, free - foot.count - (free - foot.count > lines.count + 1 ? 2 : 1)))
    for (index, line) in middle.enumerated() {
      buffer.write(
        line, at: Position(x: area.x, y: first + 1 + index), limit: area.width, overflow: .ellipsis)
    }
    for (index, text) in foot.enumerated() {
      buffer.write(
        text, at: Position(x: area.x, y: area.maxY - foot.count + index), style: verdictStyle,
        limit: area.width,
        overflow: .ellipsis)
    }
  }

  private func figureRows(_ figures: HistogramFigures, room: Int) -> [Row] {
    let (a, b) = (figures.a, figures.b)
    var rows = [
      Row(
        title: "count", a: shown.countSigns.a + NumberFormat.grouped(a.count),
        b: b.map { shown.countSigns.b + NumberFormat.grouped($0.count) } ?? "")
    ]
    guard shown.labels == nil else { return rows }
    for method in shown.methods
    where method.method == .pooled || layout.inner(of: layout[.figures]).height >= 15 {
      rows.append(
        Row(
          title: formatter.title(method), a: formatter.average(method.a), b: formatter.average(method.b),
          change: formatter.change(method.a, method.b)))
    }
    rows.append(
      Row(
        title: "std dev", a: a.standardDeviation.map(unit.figure) ?? "-",
        b: b.map { $0.standardDeviation.map(unit.figure) ?? "-" } ?? "",
        change: formatter.change(a.standardDeviation, b?.standardDeviation)))
    for percentile in figures.percentiles {
      rows.append(
        Row(
          title: HistogramScreen.name(ofPercentile: percentile.percentile),
          a: formatter.quantile(
            percentile.a, spread: percentile.spreadA, isStated: percentile.isStatedA, room: room),
          b: b == nil
            ? ""
            : formatter.quantile(
              percentile.b, spread: percentile.spreadB, isStated: percentile.isStatedB, room: room),
          change: formatter.change(percentile, isOverLimit: isOverLimit(percentile)),
          isThin: !percentile.isStatedA))
    }
    rows.append(
      Row(
        title: "max", a: a.maximum.map(unit.figure) ?? "-",
        b: b.map { $0.maximum.map(unit.figure) ?? "-" } ?? "",
        change: formatter.change(a.maximum, b?.maximum)))
    return rows
  }

  /// Notes needed to read the figures.
  private func notes(_ figures: HistogramFigures) -> [String] {
    var notes: [String] = []
    for (name, marks) in [(figures.a.name, shown.marksA), (figures.b?.name ?? "", shown.marksB)]
    where !marks.isEmpty {
      notes.append("! \(name): \(words(of: marks))")
    }
    if shown.leftOut > 0 { notes.append("\(shown.leftOut) simulated or mixed payloads are left out") }
    if shown.labels == nil {
      notes.append(
        figures.a.hasBins
          ? "350-400: the bin that contains it (payloads have counts, not samples); \(signs.plusMinus) what that leaves open"
          : (figures.hasEstimates(in: unit) ? "~ percentiles from bins" : "nearest rank of samples")
            + "; \(signs.plusMinus) at 95%" + dependence(figures))
    }
    for covered in [shown.coveredA, shown.coveredB].compactMap({ $0 }) {
      notes.append("~ count: of \(screen.name(of: covered))")
    }
    if namesNoDevices { notes.append("no field names devices: a few of them may cause this difference") }
    if figures.b != nil { notes.append("~ within noise, or too few") }
    if limit != nil { notes.append("! over the limit you set") }
    return notes
  }

  /// True if a difference was found between samples whose devices are unknown.
  private var namesNoDevices: Bool {
    shown.verdict?.isDifference ?? false && figures?.a.hasBins == false
      && !(shown.dimensions + shown.fieldsGivenUp).contains { ClusterField.plural(of: $0) != nil }
  }

  /// `, allowing for dependence: about 140 independent samples of 9 500`; empty if samples hardly depend on each other.
  private func dependence(_ figures: HistogramFigures) -> String {
    guard figures.a.inflation > Self.noticeable else { return "" }
    let sides = [figures.a, figures.b].compactMap(\.self)
    let (independent, all) = (
      sides.reduce(0) { $0.addingSaturated($1.independentCount) },
      sides.reduce(0) { $0.addingSaturated($1.count) }
    )
    return
      ", allowing for dependence: about \(NumberFormat.grouped(independent)) independent samples of "
      + NumberFormat.grouped(all)
  }

  /// Factor of the margins of error from which the note on dependence is shown.
  private static let noticeable = 1.2

  private func changeStyle(_ change: String) -> Style {
    if change.hasSuffix("!") { return theme[.alert] }
    return theme[change == "~" || change == "=" ? .dim : .text]
  }

  var verdictStyle: Style {
    switch shown.verdict?.isWorse {
    case true: theme[.warning].adding(.bold)
    case false: theme[.good].adding(.bold)
    case nil: theme[.text]
    }
  }

  // MARK: One figure per column

  private func drawFigureColumns(_ figures: HistogramFigures, in area: Rect, into buffer: inout Buffer) {
    let isNarrow = layout.step > .stacked
    guard shown.labels == nil else { return drawCounts(figures, in: area, isNarrow: isNarrow, into: &buffer) }
    let width = isNarrow ? 7 : 9
    // The widest figures are dropped last.
    let order = figures.percentiles.indices.sorted {
      weight(figures.percentiles[$0]) > weight(figures.percentiles[$1])
    }
    let names = isNarrow ? 5 : 9
    let columns =
      [
        Column("", width: names),
        Column("avg\(isNarrow ? "" : " \(signs.plusMinus)")", width: isNarrow ? 5 : 10),
      ]
      + figures.percentiles.enumerated().map { index, percentile in
        Column(
          HistogramScreen.name(ofPercentile: percentile.percentile), width: width, alignment: .trailing,
          dropOrder: 2 + (order.firstIndex(of: index) ?? 0))
      } + [Column("max", width: 7, alignment: .trailing, dropOrder: 1)]
    func row(_ name: String, _ side: HistogramSide, _ isA: Bool) -> TableRow {
      let average = side.average()
      return TableRow(
        [
          Line(name, theme[.header]),
          Line(
            isNarrow ? average.map { unit.figure($0.value) } ?? "-" : formatter.average(average),
            theme[.value]),
        ]
          + figures.percentiles.map { percentile in
            let isStated = isA ? percentile.isStatedA : percentile.isStatedB
            let text = formatter.quantile(
              isA ? percentile.a : percentile.b, spread: isA ? percentile.spreadA : percentile.spreadB,
              isStated: isStated, room: width)
            return Line(text, theme[isStated ? .text : .dim])
          } + [Line(side.maximum.map(unit.figure) ?? "-", theme[.text])])
    }
    var rows = [row(isNarrow ? "A" : "A \(figures.a.name)", figures.a, true)]
    if let b = figures.b {
      rows.append(row(isNarrow ? "B" : "B \(b.name)", b, false))
      rows.append(changes(figures, b))
    }
    Panel(look: .rule, theme: theme).render(in: isNarrow ? Rect(size: .zero) : area, into: &buffer)
    Table(columns: columns, rows: rows, theme: theme).render(
      in: isNarrow ? area.inset(left: -1) : area.inset(left: -1, top: 1), into: &buffer)
  }

  /// The sample counts of both sides of a text, which has no other figures.
  private func drawCounts(
    _ figures: HistogramFigures, in area: Rect, isNarrow: Bool, into buffer: inout Buffer
  ) {
    let sides = [("A", figures.a)] + (figures.b.map { [("B", $0)] } ?? [])
    let rows = sides.map { letter, side in
      TableRow([
        Line(isNarrow ? letter : "\(letter) \(side.name)", theme[.header]),
        Line(NumberFormat.grouped(side.count), theme[.value]),
      ])
    }
    Panel(look: .rule, theme: theme).render(in: isNarrow ? Rect(size: .zero) : area, into: &buffer)
    let columns = [
      Column("", width: isNarrow ? 5 : 9), Column("count", width: 9, alignment: .trailing),
    ]
    Table(columns: columns, rows: rows, theme: theme).render(
      in: isNarrow ? area.inset(left: -1) : area.inset(left: -1, top: 1), into: &buffer)
  }

  /// The importance of a percentile: the median, p95 and p99 come first.
  private func weight(_ percentile: HistogramFigures.Percentile) -> Double {
    percentile.percentile == 50
      ? 101 : percentile.percentile == 95 ? 100 : percentile.percentile == 99 ? 99 : 0
  }

  private func changes(_ figures: HistogramFigures, _ b: HistogramSide) -> TableRow {
    let average = formatter.change(figures.a.average(), b.average())
    return TableRow(
      [Line("change", theme[.header]), Line(average, changeStyle(average))]
        + figures.percentiles.map { percentile in
          let text = formatter.change(percentile, isOverLimit: isOverLimit(percentile))
          return Line(text, changeStyle(text))
        } + [Line(formatter.change(figures.a.maximum, b.maximum), theme[.dim])])
  }

  // MARK: The sentence

  /// `VERDICT  A is slower in the tail only`, or the name of the side where there is nothing to compare.
  func drawVerdictLine(into buffer: inout Buffer) {
    let area = layout.hasBoxes ? layout[.verdict].inset(left: session.tabsStart, right: 1) : layout[.verdict]
    let marks = marksText.map { "! \($0)  " } ?? ""
    guard let verdict = shown.verdict else {
      let text = marks + (figures.map { overview($0.a) } ?? "")
      buffer.write(text, at: area.origin, style: theme[.dim], limit: area.width, overflow: .ellipsis)
      return
    }
    let head =
      layout.hasBoxes
      ? Span(signs.severity + " ", verdictStyle)
      : Span(layout.step <= .narrow ? "VERDICT  " : "", theme[.header])
    let room = area.width - head.text.count - marks.count
    let text = marks + (verdict.wordings.first { $0.count <= room } ?? verdict.brief)
    buffer.write([head, Span(text, verdictStyle)], at: area.origin, limit: area.width, overflow: .ellipsis)
  }

  /// `half of 3 499 up to 11.4ms, 95% up to 1.74s; c compares` for a single side, or the number of its samples.
  private func overview(_ side: HistogramSide) -> String {
    let count = "\(shown.countSigns.a)\(NumberFormat.grouped(side.count))"
    let quantiles = side.quantiles([50, 95])
    guard layout.hasBoxes, shown.labels == nil, quantiles.count == 2 else { return "n \(count); c compares" }
    return session.keyHint(
      "half of \(count) up to \(unit.text(quantiles[0].value)), 95% up to \(unit.text(quantiles[1].value)); c compares"
    )
  }
}
