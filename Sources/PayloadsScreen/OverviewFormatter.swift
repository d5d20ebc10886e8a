import Aggregation
import Codecs
import DashboardCore
import TelemetryCore
import TerminalUI

/// Formats the columns of the overview's lines.
struct OverviewFormatter {
  let theme: Theme

  func cell(_ column: OverviewColumn, of line: OverviewLine) -> Line {
    if column.kind == .name { return Line(line.label, theme[line.depth == 0 ? .title : .text]) }
    switch line.content {
    case .figure(let row): return cell(column, of: row)
    case .section(let hidden, let real): return section(column, hidden: hidden, real: real)
    case .rate(let rate): return cell(column, of: rate)
    case .node(let total, let own, let share):
      switch (column.kind, column.isB) {
      case (.value, false): return Line(NumberFormat.grouped(total))
      case (.count, false): return Line(NumberFormat.grouped(own))
      case (.change, false): return Line(NumberFormat.share(share))
      default: return Line()
      }
    case .reason(let count):
      return column.kind == .value && !column.isB ? Line(NumberFormat.grouped(count)) : Line()
    case .nodeTitles, .note, .finding, .rest: return Line()
    }
  }

  /// The rate of diagnostics with its margin of error, their number, and the change.
  private func cell(_ column: OverviewColumn, of rate: DiagnosticRate) -> Line {
    let verdict = rate.verdict
    let style = theme[
      verdict?.isDifference ?? false ? rate.isNew || verdict?.isRising ?? false ? .warning : .good : .dim]
    switch column.kind {
    case .value, .count: return tally(column, column.isB ? rate.b : rate.a)
    case .change:
      // Where too few days are known, none of these may be more than chance.
      let isFew = verdict?.finding == .tooFew
      let word = isFew ? nil : rate.isNew ? "new" : rate.isGone ? "gone" : nil
      return Line(word ?? rate.change.map { percent($0, room: column.width) } ?? "", style)
    case .verdict: return verdict.map { Line(column.width < 4 ? $0.shortSign : $0.sign, style) } ?? Line()
    case .words: return Line(verdict?.words(isTimes: false) ?? "", style)
    case .perHour:
      let hourly = (column.isB ? rate.b : rate.a)?.perThousandHours
      return Line(hourly?.text("/1000h", sign: theme.signs.plusMinus, room: column.width) ?? "", theme[.text])
    case .name, .median, .tail, .total: return Line()
    }
  }

  private func tally(_ column: OverviewColumn, _ tally: DiagnosticTally?) -> Line {
    guard let tally else { return column.kind == .value ? Line("-", theme[.dim]) : Line() }
    guard let rate = tally.perThousandDays else {
      guard column.kind == .value else { return Line() }
      return Line(NumberFormat.grouped(tally.count), theme[tally.count > 0 ? .value : .dim])
    }
    guard column.kind == .value else { return Line(NumberFormat.grouped(tally.count), theme[.dim]) }
    let text = rate.text(
      DiagnosticTally.Rate.unitOfDays, sign: theme.signs.plusMinus, room: column.width)
    return Line(text, theme[tally.count > 0 ? .value : .dim])
  }

  private func section(_ column: OverviewColumn, hidden: Int, real: Int) -> Line {
    guard hidden > 0 else { return Line() }
    switch column.kind {
    case .value where !column.isB: return Line("\(hidden) figure\(hidden == 1 ? "" : "s")", theme[.dim])
    case .verdict where real > 0: return Line("\(real) !", theme[.warning])
    default: return Line()
    }
  }

  // MARK: Figures

  private func cell(_ column: OverviewColumn, of row: PayloadOverview.Row) -> Line {
    switch column.kind {
    case .change: return change(row, room: column.width)
    case .verdict:
      return row.verdict.map { Line(column.width < 4 ? $0.shortSign : $0.sign, style(of: $0, row)) } ?? Line()
    case .words: return words(column, of: row)
    default: break
    }
    guard row.isKnown else {
      return column.kind == .value ? Line(theme.signs.ellipsis, theme[.dim]) : Line()
    }
    guard let value = column.isB ? row.b : row.a else {
      return column.kind == .value ? Line("-", theme[.dim]) : Line()
    }
    return figure(column, value, row)
  }

  /// The meaning of the verdict, and the group that carries the change where that fits.
  private func words(_ column: OverviewColumn, of row: PayloadOverview.Row) -> Line {
    guard let verdict = row.verdict else { return Line() }
    let words = verdict.words(isTimes: row.isTimes)
    guard verdict.isDifference, let carrier = row.carrier else { return Line(words, style(of: verdict, row)) }
    let all = [words, carrier.words].filter { !$0.isEmpty }.joined(separator: ", ")
    return Line(all.count <= column.width ? all : words, style(of: verdict, row))
  }

  /// A cell of side A.
  func text(_ kind: OverviewColumn.Kind, width: Int, of row: PayloadOverview.Row) -> String {
    row.a.map { figure(OverviewColumn(kind: kind, width: width), $0, row).text } ?? ""
  }

  private func figure(_ column: OverviewColumn, _ value: OverviewValue, _ row: PayloadOverview.Row) -> Line {
    switch column.kind {
    case .value: return Line(text(value, row, room: column.width), theme[.value])
    case .count: return Line(count(value), theme[.dim])
    case .median: return percentile(value.percentiles.first, row, room: column.width)
    case .tail: return percentile(value.percentiles.last, row, room: column.width)
    case .perHour: return Line(value.perHour.map { row.unit.per("h").text($0) } ?? "", theme[.text])
    case .total: return Line(value.total.map(row.unit.text) ?? "", theme[.text])
    case .name, .change, .verdict, .words: return Line()
    }
  }

  /// `1.86s ±5ms`, or without the margin of error where it does not fit.
  private func text(_ value: OverviewValue, _ row: PayloadOverview.Row, room: Int) -> String {
    let shown = row.shown(value)
    guard shown.margin > 0, shown.margin.isFinite else { return shown.unit.text(shown.value) }
    return shown.unit.text(shown.value, margin: shown.margin, sign: theme.signs.plusMinus, room: room)
  }

  /// `3 188` samples, `14d` for device-days.
  private func count(_ value: OverviewValue) -> String {
    switch value.count {
    case .samples(let count): NumberFormat.grouped(count)
    case .days(let count): NumberFormat.grouped(count) + "d"
    }
  }

  /// A percentile, or the bounds of its bin; with too few samples, the likely range.
  private func percentile(_ percentile: TimePercentile?, _ row: PayloadOverview.Row, room: Int) -> Line {
    guard let percentile else { return Line() }
    let (lower, upper) = (row.unit.text(percentile.lower), row.unit.text(percentile.upper))
    let range = lower == upper ? lower : "\(lower)-\(upper)"
    let isShort = range.count < room
    guard let value = percentile.value else {
      return Line(isShort ? "~" + range : "~", theme[.dim])
    }
    return Line(row.isHistogram && isShort ? range : row.unit.text(value), theme[.text])
  }

  private func change(_ row: PayloadOverview.Row, room: Int) -> Line {
    guard let a = row.a, let b = row.b else { return Line() }
    if let change = row.change {
      return Line(percent(change, room: room), row.verdict.map { style(of: $0, row) } ?? theme[.dim])
    }
    return Line(row.shown(b).value == 0 && row.shown(a).value > 0 ? "new" : "", theme[.dim])
  }

  private func percent(_ change: Double, room: Int) -> String {
    let text = NumberFormat.change(change)
    return text.count <= room ? text : (change > 0 ? ">999%" : "<-99%").prefixed(room)
  }

  /// Slower times are a warning; for other figures, an increase may be good or bad.
  private func style(of verdict: ComparisonVerdict, _ row: PayloadOverview.Row) -> Style {
    guard verdict.isDifference else { return theme[.dim] }
    guard row.isTimes else { return theme[.accent] }
    return theme[verdict.isRising ? .warning : .good]
  }

  // MARK: Lines without the list's columns

  /// A line across all columns of the list, from its left edge; `nil` if the line uses the columns.
  func whole(_ line: OverviewLine, indent: Int, width: Int) -> Line? {
    let space = { (count: Int) in Span(String(repeating: " ", count: max(0, count))) }
    switch line.content {
    case .section, .figure, .rate, .rest: return nil
    case .finding(let isWorse):
      let style = theme[isWorse.map { $0 ? .warning : .good } ?? .accent]
      return [space(indent), Span(line.label, style)]
    case .note:
      let mark = line.fold == .leaf ? "" : fold(line.fold)
      return [
        space(indent), Span(mark, theme[.dim]), Span(line.label, theme[line.depth == 0 ? .title : .dim]),
      ]
    case .reason(let count):
      return [
        space(indent), Span("\(NumberFormat.grouped(count))x ", theme[.dim]), Span(line.label, theme[.text]),
      ]
    case .nodeTitles:
      let stack = stackColumns(total: "total", own: "self", share: "share", bar: "", width: width)
      return Line(stack.map { Span($0.text, theme[.dim]) } + [Span(line.label, theme[.dim])])
    case .node(let total, let own, let share):
      var text = Line(
        stackColumns(
          total: NumberFormat.count(total), own: NumberFormat.count(own), share: NumberFormat.share(share),
          bar: bar(share, width: barWidth(width)), width: width))
      text.spans += [space(indent), Span(fold(line.fold), theme[.dim]), Span(line.label, theme[.text])]
      return text
    }
  }

  private func barWidth(_ width: Int) -> Int { width >= 100 ? 20 : width >= 60 ? 10 : 0 }

  /// Total and own samples of a place, and their share as a bar.
  private func stackColumns(total: String, own: String, share: String, bar: String, width: Int) -> [Span] {
    let bars = barWidth(width)
    var spans = [Span(total.padded(6) + " ", theme[.value])]
    if width >= 36 { spans.append(Span(own.padded(5) + " ", theme[.text])) }
    spans.append(Span(share.padded(5) + " ", theme[.text]))
    if bars > 0 {
      spans.append(Span(bar + String(repeating: " ", count: bars + 1 - bar.count), theme[.series1]))
    }
    return spans
  }

  private func fold(_ fold: TableRow.Fold) -> String {
    switch fold {
    case .leaf: "  "
    case .expanded: theme.signs.expanded + " "
    case .collapsed: theme.signs.collapsed + " "
    }
  }

  func bar(_ share: Double, width: Int) -> String {
    let filled = min(width, max(share > 0 ? 1 : 0, Int((share * Double(width)).rounded())))
    return String(repeating: theme.signs.barFull, count: filled)
      + String(repeating: theme.signs.barEmpty, count: max(0, width - filled))
  }
}
