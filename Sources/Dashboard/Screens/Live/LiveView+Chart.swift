import Aggregation
import Codecs
import Platform
import TerminalUI

// The focused metric over time.
extension LiveView {
  func drawChart(into buffer: inout Buffer) {
    drawChartFrame(into: &buffer)
    guard let focus = content.focus else {
      return note("Select a metric to see it over time", in: layout.plotArea, into: &buffer)
    }
    if focus.window.count == 0 {
      return note("No samples in this window", in: layout.plotArea, into: &buffer)
    }
    if focus.window.moments.count == 0, focus.window.shareOfTrue == nil {
      return drawTexts(focus, in: layout.plotArea, into: &buffer)
    }
    chart(focus).render(in: layout.plotArea, into: &buffer)
    drawAhead(focus, into: &buffer)
  }

  private func note(_ text: String, in area: Rect, into buffer: inout Buffer) {
    let x = area.x + max(0, (area.width - text.count) / 2)
    buffer.write(
      text, at: Position(x: x, y: area.y + area.height / 2), style: theme[.dim], limit: area.width,
      overflow: .ellipsis)
  }

  private func drawChartFrame(into buffer: inout Buffer) {
    let title = content.focus?.identity.fullName ?? "no metric"
    let window = DurationFormat.text(session.window)
    var panel = Panel(
      title, look: layout.hasBoxes ? .box : .rule, trailing: layout.hasBoxes ? "\(window) window" : "",
      footer: state.isAutoScaled ? "y: auto (a)" : "y: fixed (a)", footerTrailing: "Enter samples",
      isFocused: state.pane == .chart, theme: theme)
    if layout.hasBoxes {
      panel.trailing.append(Line("+ - zoom", theme[.dim]))
      panel.footerTrailing.append(Line("z max", theme[.dim]))
    } else {
      panel.leading.append(Line("\(window) window", theme[.dim]))
      panel.trailing = [Line("+ - zoom", theme[.dim]), Line("z max", theme[.dim])]
    }
    if let focus = content.focus, focus.window.nulls > 0 {
      panel.footerLeading.append(Line("\(NumberFormat.count(focus.window.nulls)) null", theme[.dim]))
    }
    panel.render(in: layout.chart, into: &buffer)
  }

  private func chart(_ focus: LiveFocus) -> Chart {
    let (from, to) = (session.edge - session.window, session.edge)
    var chart = Chart(
      series: [Chart.Series(points(focus), style: theme[.series1])],
      xRange: from.seconds...max(to, from).seconds,
      yRange: focus.range, gutter: layout.gutter, theme: theme)
    chart.yTicks = valueTicks(focus)
    chart.xTicks = layout.step >= .narrow && layout.chart.height < 5 ? [] : timeTicks(from, to)
    chart.gaps = focus.gaps.map { gap in
      Chart.Tick(
        gap.lowerBound.seconds / 2 + gap.upperBound.seconds / 2,
        "gap \(DurationFormat.text(gap.upperBound - gap.lowerBound))"
      )
    }
    if let limit = focus.limit {
      chart.limit = Chart.Tick(limit, "limit p95 \(focus.identity.unit.text(limit))")
    }
    if session.isFrozen { chart.playhead = nil }
    return chart
  }

  /// Lowest and highest of each column, so that no peak is lost; a gap breaks the line.
  private func points(_ focus: LiveFocus) -> [Chart.Point] {
    let width = session.window / Double(max(1, focus.columns.count))
    let start = (session.edge - session.window).seconds
    let isShare = focus.window.moments.count == 0
    var points: [Chart.Point] = []
    var last: SeriesColumn?
    for (index, column) in focus.columns.enumerated() {
      guard let column, let mean = column.mean else { continue }
      let x = start + (Double(index) + 0.5) * width
      if let last, focus.gaps.contains(where: { $0.lowerBound == last.end }) {
        points.append(Chart.Point(x: x, y: nil))
      }
      if column.numbers == 1 || isShare {
        points.append(Chart.Point(x: x, y: mean))
      } else {
        points.append(Chart.Point(x: x, y: column.minimum))
        points.append(Chart.Point(x: x, y: column.maximum))
      }
      last = column
    }
    return points
  }

  private func valueTicks(_ focus: LiveFocus) -> [Chart.Tick] {
    let isShare = focus.window.moments.count == 0
    let rows = chartPlotHeight
    let limit = rows >= 8 ? max(4, min(11, rows / 4)) : rows >= 4 ? 3 : 2
    var ticks = NiceScale.ticks(focus.range, limit: limit)
    if ticks.count > limit + 1 { ticks = [focus.range.lowerBound, focus.range.upperBound] }
    return Chart.Tick.ticks(ticks) { isShare ? RowFigures.percent($0) : focus.identity.unit.text($0) }
  }

  private var chartPlotHeight: Int { max(0, layout.plotArea.height - 1) }

  private func timeTicks(_ from: Timestamp, _ to: Timestamp) -> [Chart.Tick] {
    let count = max(2, min(9, layout.plotArea.width / 16))
    let precision: ClockZone.Precision =
      session.window > 7200 || layout.step >= .stacked && session.window >= 600 ? .minutes : .seconds
    let isNow =
      session.playhead == .live && session.newest.map { session.now - $0 <= session.window } ?? false
    return (0...count - 1).map { index in
      let time = from + (to - from) * Double(index) / Double(count - 1)
      if index == count - 1, isNow { return Chart.Tick(time.seconds, "now") }
      return Chart.Tick(
        time.seconds,
        session.window >= 86_400 ? zone.moment(time, now: Timestamp(0), .minutes) : zone.time(time, precision)
      )
    }
  }

  private func drawAhead(_ focus: LiveFocus, into buffer: inout Buffer) {
    guard focus.ahead > 0 else { return }
    let text = "\(NumberFormat.count(focus.ahead)) ahead of the clock \(signs.above)"
    let area = layout.plotArea
    buffer.write(text, endingAt: area.maxX, y: area.y, style: theme[.warning], limit: area.width)
  }

  /// Texts have no curve: the most frequent values with their shares.
  private func drawTexts(_ focus: LiveFocus, in area: Rect, into buffer: inout Buffer) {
    let name = min(max(8, area.width / 3), 32)
    for (index, text) in focus.window.texts.prefix(area.height).enumerated() {
      let y = area.y + index
      buffer.write(
        text.text.isEmpty ? "\"\"" : text.text, at: Position(x: area.x + 1, y: y), style: theme[.text],
        limit: name,
        overflow: .ellipsis)
      let room = max(0, area.width - name - 16)
      let filled = max(1, Int((text.share * Double(room)).rounded()))
      let bar = String(repeating: signs.barFull, count: min(filled, room))
      buffer.write(bar, at: Position(x: area.x + name + 2, y: y), style: theme.series(index), limit: room)
      buffer.write(
        RowFigures.percent(text.share), endingAt: area.maxX - 7, y: y, style: theme[.value], limit: 5)
      buffer.write(
        NumberFormat.count(text.count), endingAt: area.maxX - 1, y: y, style: theme[.dim], limit: 5)
    }
    if focus.window.texts.isEmpty { note("Only null in this window", in: area, into: &buffer) }
  }
}
