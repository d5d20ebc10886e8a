import Aggregation
import Codecs
import DashboardCore
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
    if !focus.hasCurve {
      guard !focus.texts.isEmpty else {
        return note("Only null in this window", in: layout.plotArea, into: &buffer)
      }
    }
    let chart = chart(focus)
    if focus.hasCurve, !session.pins.isEmpty {
      let curves = CurveSet(
        focus: screen.curve(focus), axis: focus.axis, pins: screen.pinnedCurves,
        isLogarithmic: session.isLogarithmic, theme: theme)
      draw(curves, on: chart, in: layout.plotArea, into: &buffer)
    } else {
      chart.render(in: layout.plotArea, into: &buffer)
    }
    if let range = state.draggedRange {
      draw(selection: range, of: chart, in: layout.plotArea, into: &buffer)
    }
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
    var panel = Panel(title, look: layout.step.paneLook, isFocused: state.pane == .chart, theme: theme)
    let average = content.focus?.hasAverages ?? false ? " average" : ""
    panel.leading.append(Line(hint: window + average + axisText, theme[.dim]))
    panel.trailing = [zoomHint]
    if let focus = content.focus, focus.window.nulls > 0 {
      panel.trailing.insert(Line("\(NumberFormat.count(focus.window.nulls)) null", theme[.dim]), at: 0)
    }
    panel.render(in: layout[.chart], into: &buffer)
  }

  /// Special properties of the value axis.
  private var axisText: String {
    guard let focus = content.focus else { return "" }
    if !focus.hasCurve { return focus.texts.isEmpty ? "" : ", \(TextLanes.words)" }
    let held = state.isAutoScaled ? "" : ", axis held"
    guard session.isLogarithmic ?? focus.axis.isLogarithmic else { return held }
    return held + ", " + focus.axis.words(of: focus.extent, isShare: focus.isShare)
  }

  private func chart(_ focus: LiveFocus) -> Chart {
    let (from, to) = (session.edge - session.window, session.edge)
    let points = screen.curve(focus).points.map { Chart.Point(x: $0.x, y: $0.y.map(focus.axis.place)) }
    var chart = Chart(
      series: focus.hasCurve ? [Chart.Series(points, style: theme[.series1], isGraded: true)] : [],
      xRange: from.seconds...max(to, from).seconds,
      yRange: focus.axis.places, gutter: layout.gutter, theme: theme)
    if !focus.hasCurve {
      chart.lanes =
        TextLanes(
          focus.texts, steps: { Self.column($0, of: focus.key) },
          gaps: focus.gaps.map { $0.lowerBound.seconds...$0.upperBound.seconds }, in: layout.plotArea,
          theme: theme
        ).lanes
    } else {
      chart.yTicks = valueTicks(focus)
    }
    chart.xTicks = layout.step >= .narrow && layout[.chart].height < 5 ? [] : timeTicks(from, to)
    chart.gaps = focus.gaps.map { gap in
      Chart.Tick(
        gap.lowerBound.seconds / 2 + gap.upperBound.seconds / 2,
        "gap \(DurationFormat.text(gap.upperBound - gap.lowerBound))"
      )
    }
    if !chart.xTicks.isEmpty { chart.markers = session.annotationMarks(from: from, to: to) }
    chart.limit = tick(of: focus.limit, focus.identity, on: focus.axis)
    chart.isFloor = focus.limit?.isFloor ?? false
    chart.dots = screen.peaks(focus).map { Chart.Point(x: $0.x, y: $0.y.map(focus.axis.place)) }
    chart.bands = Chart.Band.pair(focus.spreads.map { ($0.time, $0.spread) }, on: focus.axis)
    chart.trouble = session.incidents.stretches(of: focus.identity, in: chart.xRange)
    if session.isFrozen { chart.playhead = nil }
    return chart
  }

  /// The start and end of a column of the window.
  private static func column(_ index: Int, of key: LiveFocus.Key) -> Range<Double> {
    let (start, count) = ((key.edge - key.window).seconds, Double(max(1, key.columns)))
    let begin = start + key.window * Double(index) / count
    return begin..<max(begin, start + key.window * Double(index + 1) / count)
  }

  private func valueTicks(_ focus: LiveFocus) -> [Chart.Tick] {
    focus.axis.ticks(rows: max(0, layout.plotArea.height - 1), width: layout.gutter) { value, width in
      focus.isShare ? NumberFormat.share(value) : session.unit(of: focus.identity).text(value, width: width)
    }
  }

  private func timeTicks(_ from: Timestamp, _ to: Timestamp) -> [Chart.Tick] {
    let count = max(2, min(9, layout.plotArea.width / 16))
    let precision: ClockZone.Precision =
      session.window > 7200 || layout.step >= .stacked && session.window >= 600 ? .minutes : .seconds
    let isNow =
      session.playhead == .live && session.hasRecentSamples
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
}
