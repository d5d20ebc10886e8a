import Aggregation
import DashboardCore
import Platform
import TerminalUI

// The text copied from the Histogram screen.
extension HistogramScreen {
  /// Rows and figures as a tab-separated table, and the sentence.
  var lines: [String] {
    let content = state.content
    guard let figures = content.figures else { return [] }
    let unit = content.unit
    let hasB = figures.b != nil
    var lines = [
      SafeText.row(
        [state.subject?.name ?? "", "A \(figures.a.name)"] + (figures.b.map { ["B \($0.name)"] } ?? []))
    ]
    lines += zip(figures.grid.rows, figures.rows).map { row, found in
      SafeText.row(
        [HistogramLabel(unit: unit, row: row).text, "\(found.a.count)"] + (hasB ? ["\(found.b.count)"] : []))
    }
    let words = HistogramFormatter(
      unit: unit, plusMinus: session.theme.signs.plusMinus, hasBins: figures.a.hasBins,
      isClear: content.verdict?.isDifference ?? false, isCopied: true)
    func line(_ title: String, _ a: String, _ b: String?) -> String {
      SafeText.row([title, a] + (b.map { [$0] } ?? []))
    }
    let signs = content.countSigns
    lines.append(line("count", "\(signs.a)\(figures.a.count)", figures.b.map { "\(signs.b)\($0.count)" }))
    lines.append(
      line("average", words.average(figures.a.average()), figures.b.map { words.average($0.average()) }))
    for percentile in figures.percentiles {
      func text(_ isA: Bool) -> String {
        words.quantile(
          isA ? percentile.a : percentile.b, spread: isA ? percentile.spreadA : percentile.spreadB,
          isStated: isA ? percentile.isStatedA : percentile.isStatedB, room: 40)
      }
      lines.append(
        line(HistogramScreen.name(ofPercentile: percentile.percentile), text(true), hasB ? text(false) : nil))
    }
    if let verdict = content.verdict { lines.append(verdict.sentence) }
    return lines
  }

  /// The command-line options that draw the shown content.
  var commandWords: [String] {
    let options = state.options
    var words = snapshotWords
    func add(_ option: String, _ value: String) { words += [option, value] }
    if let subject = state.subject { add("--metric", subject.name) }
    words += sideOptions
    if let group = options.group { add("--group", group) }
    if let scale = options.scale { add("--scale", scale.flag) }
    if options.percentiles != HistogramOptions.usualPercentiles {
      add(
        "--percentiles",
        options.percentiles.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }.joined(separator: ","))
    }
    if options.hasLens { words.append("--lens") }
    if options.hidesFew { words.append("--hide-few") }
    return words + rangeOptions
  }
}

extension HistogramGrid.Scale {
  /// The text on a command line.
  package var flag: String {
    switch self {
    case .linear: "linear"
    case .logarithmic: "log"
    case .recorded: "recorded"
    }
  }
}
