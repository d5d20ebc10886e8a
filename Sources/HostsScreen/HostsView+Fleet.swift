import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// The band of all hosts together.
extension HostsView {
  func drawFleet(into buffer: inout Buffer) {
    if layout.hasBoxes {
      var panel = Panel(state.focus?.fullName ?? "no metric", look: .pane, theme: theme)
      panel.leading.append(Line("all hosts together", theme[.dim]))
      panel.trailing = [zoomHint, Line("median, p25-p75, p5-p95", theme[.dim])]
      panel.render(in: layout[.fleet], into: &buffer)
    }
    for (line, words) in figures.prefix(layout.figuresArea.height).enumerated() {
      let area = layout.figuresArea
      buffer.write(
        words, at: Position(x: area.x, y: area.y + line), limit: area.width, overflow: .ellipsis)
    }
    guard let hosts, hosts.bound != nil else { return }
    chart(hosts).render(in: layout.chartArea, into: &buffer)
  }

  private var figures: [Line] {
    guard let hosts else { return [] }
    func pair(_ name: String, _ value: String, _ note: String = "") -> Line {
      Line([Span("\(name.padded(8)) ", theme[.dim]), Span(value, theme[.value]), Span(note, theme[.dim])])
    }
    let odd = hosts.rows.count { $0.isOdd }
    let silent = hosts.rows.count { state.silence.age(of: $0) != nil }
    let step = DurationFormat.text(hosts.chart.step)
    return [
      pair("hosts", NumberFormat.grouped(hosts.total), "  odd \(odd)  silent \(silent)"),
      pair("n", NumberFormat.grouped(hosts.count), "  step \(step)"),
      pair("p95", hosts.bound.map { screen.unit.text($0) } ?? "-", "  5% of all are above"),
      pair("cells", signs.densities.joined(), "  usual to far above"),
    ]
  }

  private func chart(_ hosts: HostsAnswer) -> Chart {
    var extent = ValueExtent()
    var (points, spreads): ([Chart.Point], [(time: Range<Double>, spread: ValueSpread)]) = ([], [])
    for (index, column) in hosts.chart.columns.enumerated() {
      let start = hosts.chart.start(ofColumn: index).seconds
      guard let column, column.numbers > 0 else { continue }
      extent.add(column.spread.p5, column.spread.p95, middle: column.p50)
      points.append(Chart.Point(x: start + hosts.chart.step / 2, y: column.p50))
      spreads.append((start..<start + hosts.chart.step, column.spread))
    }
    let axis = extent.axis(isLogarithmic: session.isLogarithmic) ?? .share
    var chart = Chart(
      series: [
        Chart.Series(
          points.map { Chart.Point(x: $0.x, y: $0.y.map(axis.place)) }, style: theme[.series1], isGraded: true
        )
      ],
      xRange: state.window.lowerBound.seconds...state.window.upperBound.seconds, yRange: axis.places,
      gutter: layout.gutter, theme: theme)
    chart.bands = Chart.Band.pair(spreads, on: axis)
    let area = layout.chartArea
    chart.yTicks = axis.ticks(rows: max(0, area.height - 1), width: layout.gutter) { value, width in
      screen.unit.text(value, width: width)
    }
    chart.xTicks = TimeScale(window: state.window, zone: zone, limit: max(2, min(10, area.width / 14))).ticks
      .map { Chart.Tick($0.time.seconds, $0.label) }
    return chart
  }
}
