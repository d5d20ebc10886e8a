import Sync
import TerminalUI

// Two futures of one engine over each other, and what differs in one line.
extension SyncView {
  func drawFutures(into buffer: inout Buffer) {
    guard let other = model.sync.other else {
      drawPanel("What if", pane: .futures, in: layout.futures, into: &buffer)
      let words = model.branchRefusal ?? "B begins another future here, with one change"
      return write([Line(words, theme[.dim])], in: layout.inner(of: layout.futures), into: &buffer)
    }
    let shown = model.sync.branch
    // The older one is the measure.
    let (first, second) = (min(shown, other), max(shown, other))
    let area = layout.inner(of: layout.futures)
    guard
      let comparison = SyncComparison(
        log: model.sync.log, of: first, and: second, until: model.sync.moment, columns: max(1, area.width - 6)
      )
    else { return }
    guard layout.step < .stacked || layout.futures.height > 1 else {
      let line = Line([Span("what if  ", theme[.dim]), Span(comparison.difference, theme[.value])])
      return write([line], in: area, into: &buffer)
    }
    let change = model.sync.log.change(of: second)
    drawPanel(
      "What if  \(change)", footer: driven("T other  x drop"), footerTrailing: driven("B branch here"),
      pane: .futures, in: layout.futures, into: &buffer)
    write(
      [words(of: comparison.one, first), words(of: comparison.other, second)], in: area, into: &buffer)
    write(
      [Line(comparison.difference, theme[.value])], in: area.inset(top: max(0, area.height - 1)),
      into: &buffer)
    drawQueues(comparison, (first, second), in: area.inset(top: 2, bottom: 1), into: &buffer)
  }

  /// `t2 ┄ 1 open  12s late  peak 4`.
  private func words(of side: SyncComparison.Side, _ branch: Int) -> Line {
    let isShown = branch == model.sync.branch
    return [
      Span("\(SyncComparison.name(of: branch)) ", isShown ? theme[.accent].adding(.bold) : theme[.text]),
      Span(
        "\(SyncWords.count(side.opens, "open"))  \(Elapsed.text(side.secondsLate)) late  "
          + "peak \(Decimal.count(side.peak))  "
          + "done \(Decimal.count(side.acknowledged))",
        theme[.text]),
    ]
  }

  /// Both queues on one scale: lines over each other where there is room for a chart, else a row for each.
  private func drawQueues(
    _ comparison: SyncComparison, _ branches: (Int, Int), in area: Rect, into buffer: inout Buffer
  ) {
    let top = Double(max(1, comparison.one.peak, comparison.other.peak))
    guard area.height >= 3, theme.glyphs != .ascii else {
      let rows = [(branches.0, comparison.one), (branches.1, comparison.other)].map { branch, side in
        let spark = Sparkline(side.depths, range: 0...top, theme: theme).text(width: side.depths.count)
        let name = "\(SyncComparison.name(of: branch)) ".padding(to: 4)
        return Line([Span(name, theme[.dim]), Span(spark, theme[.series1])])
      }
      return write(rows, in: area, into: &buffer)
    }
    func points(_ values: [Double?], dotted: Bool) -> [Chart.Point] {
      values.enumerated().map { Chart.Point(x: Double($0), y: dotted && $0 % 2 == 1 ? nil : $1) }
    }
    var chart = Chart(
      series: [
        Chart.Series(points(comparison.one.depths, dotted: false), style: theme[.series1]),
        Chart.Series(points(comparison.other.depths, dotted: true), style: theme[.series2]),
      ], xRange: 0...Double(max(1, comparison.one.depths.count - 1)), yRange: 0...top, gutter: 4,
      theme: theme)
    chart.yTicks = [.init(0, "0"), .init(top, Decimal.count(Int(top)))]
    chart.render(in: area, into: &buffer)
  }
}
