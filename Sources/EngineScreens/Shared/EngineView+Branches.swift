import Codecs
import DashboardCore
import Platform
import TerminalUI

// Two branches of one engine, one above the other, and their difference in one line.
extension EngineView {
  /// The shown branch and the one it is compared with; the older one is the reference.
  func comparison(width: Int) -> (EngineComparison<Owner.Engine>, branches: (Int, Int))? {
    guard let other = state.other else { return nil }
    let (first, second) = (min(state.branch, other), max(state.branch, other))
    return EngineComparison(
      log: state.log, of: first, and: second, until: state.moment, columns: max(1, width - 6)
    ).map { ($0, (first, second)) }
  }

  /// Draws the branches one above the other, or only their difference in one line.
  func drawComparison(trailing: String = "", into buffer: inout Buffer) {
    let area = layout.inner(of: layout[.branches])
    guard let (comparison, branches) = comparison(width: area.width) else { return }
    guard layout.step < .stacked || layout[.branches].height > 1 else {
      return write([comparisonLine(comparison)], in: area, into: &buffer)
    }
    drawComparisonPanel(of: branches, trailing: trailing, into: &buffer)
    drawComparison(comparison, of: branches, in: area, into: &buffer)
  }

  func drawComparisonPanel(of branches: (Int, Int), trailing: String = "", into buffer: inout Buffer) {
    drawPanel(
      "What if  \(state.log.change(of: branches.1))", trailing: trailing, pane: .branches,
      in: layout[.branches], into: &buffer)
  }

  /// `what if  t2: 2 opens fewer`, where only one row fits.
  func comparisonLine(_ comparison: EngineComparison<Owner.Engine>) -> Line {
    [Span("what if  ", theme[.dim]), Span(comparison.difference, theme[.value])]
  }

  /// Draws the behaviour of each branch, the difference, and both queues in between.
  func drawComparison(
    _ comparison: EngineComparison<Owner.Engine>, of branches: (Int, Int), in area: Rect,
    into buffer: inout Buffer
  ) {
    let lines = [
      words(of: comparison.one, branches.0, isDotted: false),
      words(of: comparison.other, branches.1, isDotted: true),
    ]
    write(lines, in: area, into: &buffer)
    write(
      [Line(comparison.difference, theme[.value])], in: area.inset(top: max(0, area.height - 1)),
      into: &buffer)
    drawQueues(comparison, branches, in: area.inset(top: 2, bottom: 1), into: &buffer)
  }

  /// `── t1 3 opens  41s late  peak 4`, after the line style of its queue.
  private func words(of side: EngineComparison<Owner.Engine>.Side, _ branch: Int, isDotted: Bool)
    -> Line
  {
    let isShown = branch == state.branch
    return [
      Span(
        isDotted ? "\(signs.gap)\(signs.gap) " : "\(signs.horizontal)\(signs.horizontal) ",
        theme[isDotted ? .series2 : .series1]),
      Span("\(BranchName.text(branch)) ", isShown ? theme[.accent].adding(.bold) : theme[.text]),
      Span(
        "\(EngineFormatter.count(side.opens, "open"))  \(DurationFormat.text(side.secondsLate)) late  "
          + "peak \(NumberFormat.count(side.peak))",
        theme[.text]),
    ]
  }

  /// True if two overlapping lines are distinguishable: only the braille tier has dotted lines.
  private func hasChart(_ area: Rect) -> Bool { area.height >= 3 && theme.glyphs == .braille }

  /// Both queues on one scale: overlapping, with the second one dotted, or in separate rows.
  private func drawQueues(
    _ comparison: EngineComparison<Owner.Engine>, _ branches: (Int, Int), in area: Rect,
    into buffer: inout Buffer
  ) {
    let top = Double(max(1, comparison.one.peak, comparison.other.peak))
    guard hasChart(area) else {
      let rows = [(branches.0, comparison.one), (branches.1, comparison.other)].map { branch, side in
        let spark = Sparkline(side.depths, range: 0...top, theme: theme).text(width: side.depths.count)
        let name = "\(BranchName.text(branch)) ".padding(to: 4)
        return Line([Span(name, theme[.dim]), Span(spark, theme[.series1])])
      }
      return write(rows, in: area, into: &buffer)
    }
    drawQueueChart(
      [comparison.one.depths, comparison.other.depths], top: top, gutter: 4,
      times: area.height > 4 ? (comparison.start, comparison.end) : nil, in: area, into: &buffer)
  }

  /// Draws the length of a queue over time, and that of another one dotted.
  func drawQueueChart(
    _ depths: [[Double?]], top: Double, gutter: Int, times: (Timestamp, Timestamp)?, in area: Rect,
    into buffer: inout Buffer
  ) {
    let series = zip(depths, [Role.series1, .series2]).enumerated().map { place, line in
      Chart.Series(
        line.0.enumerated().map { Chart.Point(x: Double($0), y: $1) }, style: theme[line.1],
        isDotted: place > 0)
    }
    var chart = Chart(
      series: series, xRange: 0...Double(max(1, (depths.first?.count ?? 0) - 1)), yRange: 0...top,
      gutter: gutter, theme: theme)
    chart.yTicks = [.init(0, "0"), .init(top, NumberFormat.count(Int(top)))]
    if let times {
      chart.xTicks = [.init(0, zone.time(times.0)), .init(chart.xRange.upperBound, zone.time(times.1))]
    }
    chart.render(in: area, into: &buffer)
  }
}
