import Aggregation
import Codecs
import History
import Platform
import TerminalUI

// The metric in focus over the window.
extension HistoryView {
  func drawChart(into buffer: inout Buffer) {
    if layout.hasBoxes || layout.summary.isEmpty { drawChartFrame(into: &buffer) }
    let area = layout.plotArea
    guard state.focus != nil else {
      return note("Choose a metric: Enter in the tree shows it", in: area, into: &buffer)
    }
    guard let answer else { return note("Reading", in: area, into: &buffer) }
    let chart = chart(answer)
    chart.render(in: area, into: &buffer)
    drawSelection(chart, in: area, into: &buffer)
    if !chart.series.contains(where: { $0.points.contains { $0.y != nil } }) {
      note(isBehind ? "Reading" : "No samples in this window", in: area, into: &buffer)
    }
  }

  private func note(_ text: String, in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let x = area.x + max(0, (area.width - text.count) / 2)
    buffer.write(
      text, at: Position(x: x, y: area.y + area.height / 2), style: theme[.dim], limit: area.width,
      overflow: .ellipsis)
  }

  /// `sync.push_ms`, or `sync.state = backoff` where one value is shown.
  var focusText: String {
    guard let focus = state.focus else { return "no metric" }
    return focus.fullName + (state.narrowed.map { " = \($0.isEmpty ? "\"\"" : $0)" } ?? "")
  }

  /// `step 8s max`; dim while an answer is waited for.
  var stepText: String {
    guard let answer else { return "" }
    let step = "step \(DurationFormat.text(answer.chart.step))"
    if answer.isShareChart { return step + " true per step" }
    return answer.isCountChart ? step + " count per step" : step + " max per step"
  }

  var stepStyle: Style { isBehind ? theme[.dim] : theme[.text] }

  private func drawChartFrame(into buffer: inout Buffer) {
    var panel = Panel(
      focusText, look: layout.hasBoxes ? .box : .rule, isFocused: state.pane == .chart, theme: theme)
    panel.leading.append(Line(windowText, theme[.dim]))
    panel.trailing = [Line(stepText, stepStyle), Line("+ - zoom", theme[.dim])].filter { !$0.isEmpty }
    if let line = selectionLine(room: layout.chart.width - 8) {
      panel.footerLeading = [line]
      panel.footerTrailing = [Line("y copy", theme[.dim]), Line("Esc lets go", theme[.dim])]
    } else {
      panel.footerLeading = [Line(legend, theme[.dim])]
      panel.footerTrailing = [Line("drag or v: select a range", theme[.dim])]
    }
    panel.render(in: layout.chart, into: &buffer)
  }

  /// What the curve is of.
  private var legend: String {
    guard let answer else { return "" }
    if answer.isShareChart { return "share of true" }
    return answer.isCountChart ? "samples" : "band p50-p95, line max"
  }

  /// The selected range with its statistics; `nil` without one.
  func selectionLine(room: Int) -> Line? {
    guard let range = model.selectedRange else { return nil }
    var line = Line()
    let length = range.upperBound - range.lowerBound
    let precision: ClockZone.Precision = length < 60 ? .milliseconds : .seconds
    line.append(
      "\(zone.time(range.lowerBound, precision)) - \(zone.time(range.upperBound, precision))", theme[.accent])
    line.append(" (\(DurationFormat.text(length)))", theme[.dim])
    guard let answer, answer.query.selection == range, let summary = answer.selection else {
      return line
    }
    append(HistoryStatistics(summary: summary, unit: unit), to: &line, room: room)
    return line
  }

  /// Adds as many figures as there is room for.
  func append(_ statistics: HistoryStatistics, to line: inout Line, room: Int) {
    for part in statistics.parts {
      let width = line.width() + part.name.count + part.value.count + 3
      guard width <= room else { return }
      line.append("  \(part.name) ", theme[.dim])
      line.append(part.value, theme[.value])
    }
  }

  /// The one line that stands over the chart where panes have no boxes.
  func drawSummary(into buffer: inout Buffer) {
    let area = layout.summary
    let zoom = Line("+ - zoom", theme[.dim])
    let zoomWidth = area.width >= 80 ? zoom.width(buffer.repertoire) + 2 : 0
    let room = area.width - zoomWidth
    var line = selectionLine(room: room) ?? Line(windowText, theme[.text])
    if model.selectedRange == nil {
      line.append("  \(stepText)", stepStyle)
      if let answer {
        append(HistoryStatistics(summary: answer.summary, unit: unit), to: &line, room: room)
      }
    }
    buffer.write(line, at: Position(x: area.x, y: area.y), limit: room, overflow: .ellipsis)
    if zoomWidth > 0 { buffer.write(zoom, endingAt: area.maxX, y: area.y) }
  }

  // MARK: The curve

  func chart(_ answer: HistoryAnswer) -> Chart {
    let window = state.window
    var chart = Chart(
      series: [Chart.Series(points(answer), style: theme[.series1])],
      xRange: window.lowerBound.seconds...window.upperBound.seconds, yRange: state.valueRange,
      gutter: layout.gutter,
      theme: theme)
    if !answer.isCountChart, !answer.isShareChart {
      chart.band = band(answer)
      chart.bandStyle = theme[.series2]
    }
    chart.yTicks = valueTicks(answer)
    chart.xTicks = layout.step >= .narrow && layout.chart.height < 5 ? [] : timeTicks
    chart.gaps = state.gaps.map { gap in
      let length = gap.upperBound - gap.lowerBound
      return Chart.Tick((gap.lowerBound + length / 2).seconds, "gap \(DurationFormat.text(length))")
    }
    chart.markers = markers
    if session.isFrozen {
      let value = selectedValue.map { " = \($0)" } ?? ""
      let moment = zone.exactMoment(session.edge, now: session.now, HistoryScreen.precision(model))
      chart.playhead = Chart.Tick(session.edge.seconds, moment + value)
    }
    return chart
  }

  /// The value that the playhead stands on.
  private var selectedValue: String? {
    guard let row = model.selectedRow, row.time == session.edge else { return nil }
    if case .number(let value) = row.value { return unit.text(value) }
    return row.value.words
  }

  private func middle(_ column: Int, of chart: HistoryChart) -> Double {
    (chart.start(ofColumn: column) + chart.step / 2).seconds
  }

  private func points(_ answer: HistoryAnswer) -> [Chart.Point] {
    let isCount = answer.isCountChart
    var points: [Chart.Point] = []
    var last: HistoryColumn?
    for (index, column) in answer.chart.columns.enumerated() {
      guard let column, isCount || column.numbers > 0 else { continue }
      let x = middle(index, of: answer.chart)
      if let last, hasGap(from: last.lastTime, to: column.firstTime) {
        points.append(Chart.Point(x: x, y: nil))
      }
      let value = answer.isShareChart ? column.mean : column.maximum
      points.append(Chart.Point(x: x, y: isCount ? Double(column.count) : value))
      last = column
    }
    return points
  }

  /// Columns without a number may stand at the ends of the gap.
  private func hasGap(from start: Timestamp, to end: Timestamp) -> Bool {
    state.gaps.contains { $0.lowerBound >= start && $0.upperBound <= end }
  }

  private func band(_ answer: HistoryAnswer) -> [Chart.BandPoint] {
    answer.chart.columns.enumerated().compactMap { index, column in
      guard let column, column.numbers > 1, column.p95 > column.p50 else { return nil }
      let start = answer.chart.start(ofColumn: index).seconds
      return Chart.BandPoint(x: start..<start + answer.chart.step, low: column.p50, high: column.p95)
    }
  }

  private func valueTicks(_ answer: HistoryAnswer) -> [Chart.Tick] {
    let range = state.valueRange
    let rows = max(0, layout.plotArea.height - 1)
    let limit = rows >= 8 ? max(4, min(11, rows / 4)) : rows >= 4 ? 3 : 2
    var ticks = NiceScale.ticks(range, limit: limit)
    if ticks.count > limit + 1 { ticks = [range.lowerBound, range.upperBound] }
    return Chart.Tick.ticks(ticks) { value in
      if answer.isShareChart { return RowFigures.percent(value) }
      return answer.isCountChart ? ValueUnit.plain.text(value) : unit.text(value)
    }
  }

  private var timeTicks: [Chart.Tick] {
    TimeScale(
      window: state.window, zone: zone,
      limit: max(2, min(10, layout.plotArea.width / 14))
    ).ticks.map { Chart.Tick($0.time.seconds, $0.label) }
  }

  /// Marks and alerts on the time axis.
  private var markers: [Chart.Tick] {
    let marks = session.notes.marks.sorted { $0.key < $1.key }.map { Chart.Tick($1.time.seconds, String($0)) }
    let alerts = session.alerts.events.filter(\.kind.isOtherAlert).map { Chart.Tick($0.time.seconds, "!") }
    let incidents = session.incidents.groups.lazy.filter { group in
      group.entries.contains { $0.series == state.focus } && state.window.contains(Timestamp(group.peakTime))
    }
    return marks + alerts + incidents.map { Chart.Tick($0.peakTime, "!") }
  }

  /// The selected range behind the curve.
  private func drawSelection(_ chart: Chart, in area: Rect, into buffer: inout Buffer) {
    guard let range = model.selectedRange else { return }
    let plot = chart.plot(in: area)
    let look = theme[.selection]
    for x in plot.x..<plot.maxX {
      guard let time = chart.time(atColumn: x, in: area), time >= range.lowerBound.seconds,
        time <= range.upperBound.seconds
      else { continue }
      buffer.restyle(Rect(x: x, y: plot.y, width: 1, height: plot.height)) { $0.over(look) }
    }
  }
}
