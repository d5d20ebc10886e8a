import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// The metric in focus over the window.
extension HistoryView {
  func drawChart(into buffer: inout Buffer) {
    if layout.hasBoxes || layout[.summary].isEmpty { drawChartFrame(into: &buffer) }
    let area = layout.plotArea
    guard state.focus != nil else {
      return note("No metric selected: Enter in the tree shows one", in: area, into: &buffer)
    }
    guard let answer else { return note("Reading", in: area, into: &buffer) }
    let chart = chart(answer)
    if let curves = screen.curves(answer) {
      draw(curves, on: chart, in: area, into: &buffer)
    } else {
      chart.render(in: area, into: &buffer)
    }
    if let range = screen.selectedRange { draw(selection: range, of: chart, in: area, into: &buffer) }
    if chart.lanes.isEmpty, !chart.series.contains(where: { $0.points.contains { $0.y != nil } }) {
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

  /// `sync.push_ms`, or `sync.state = backoff` if a single value is shown.
  var focusText: String {
    guard let focus = state.focus else { return "no metric" }
    return focus.fullName + (state.narrowed.map { " = \($0.isEmpty ? "\"\"" : $0)" } ?? "")
  }

  /// `step 8s`, followed by the measure per step if the values are not numbers.
  var stepText: String {
    guard let answer else { return "" }
    let step = "step \(DurationFormat.text(answer.chart.step))"
    if answer.isShareChart { return step + " true per step" }
    if answer.isTextChart { return step + " " + TextLanes.words }
    let log = state.axis.isLogarithmic ? ", log" : ""
    return step + (answer.isCountChart ? " count per step" : "") + log
  }

  var stepStyle: Style { isBehind ? theme[.dim] : theme[.text] }

  private func drawChartFrame(into buffer: inout Buffer) {
    var panel = Panel(
      focusText, look: layout.step.paneLook, isFocused: state.pane == .chart, theme: theme)
    // A selected range has figures, which leave room only for the key that is hardest to guess.
    let zooms = hint("Enter zooms")
    if let line = selectionLine(room: layout[.chart].width - 14 - focusText.count - zooms.width()) {
      panel.leading.append(line)
      panel.trailing = [zooms]
    } else {
      panel.leading.append(Line(windowText, theme[.dim]))
      if let farAway = screen.farAwayText { panel.leading.append(Line(farAway, theme[.warning])) }
      panel.trailing =
        [Line(stepText, stepStyle)] + [zoomHint, Line(legend, theme[.dim])].filter { !$0.isEmpty }
    }
    panel.render(in: layout[.chart], into: &buffer)
  }

  /// Description of the curve.
  private var legend: String {
    guard let answer else { return "" }
    let axis =
      session.isLogarithmic ?? state.axis.isLogarithmic
      ? ", " + state.axis.words(of: state.scale.value.extent, isShare: answer.isShareChart) : ""
    if answer.isTextChart { return "the most frequent values, each with its share of a step" }
    if answer.isShareChart { return "share of true" + axis }
    if answer.isCountChart { return "samples" + axis }
    return "median, p25-p75, p5-p95" + axis
  }

  /// The selected range with its statistics; `nil` if there is none.
  func selectionLine(room: Int) -> Line? {
    guard let range = screen.selectedRange else { return nil }
    var line = Line()
    let length = range.upperBound - range.lowerBound
    let precision: ClockZone.Precision = length < 60 ? .milliseconds : .seconds
    line.append(
      "\(zone.time(range.lowerBound, precision)) - \(zone.time(range.upperBound, precision))", theme[.accent])
    line.append(" (\(DurationFormat.text(length)))", theme[.dim])
    guard let answer, answer.query.selection == range, let summary = answer.selection else {
      return line
    }
    append(statistics(summary, of: answer, in: range), to: &line, room: room)
    return line
  }

  func statistics(
    _ summary: HistorySummary, of answer: HistoryAnswer, in range: Range<Timestamp>
  ) -> HistoryStatistics {
    answer.query.focus.map { screen.statistics(summary, of: $0, in: range) }
      ?? HistoryStatistics(summary: summary, unit: unit)
  }

  /// Appends as many figures as there is room for.
  func append(_ statistics: HistoryStatistics, to line: inout Line, room: Int) {
    for part in statistics.parts {
      let width = line.width() + part.name.count + part.value.count + 3
      guard width <= room else { return }
      line.append("  \(part.name) ", theme[.dim])
      line.append(part.value, theme[.value])
    }
  }

  /// The line above the chart in layouts without boxes.
  func drawSummary(into buffer: inout Buffer) {
    let area = layout[.summary]
    let zoom = zoomHint
    let zoomWidth = area.width >= 80 ? zoom.width(buffer.repertoire) + 2 : 0
    let room = area.width - zoomWidth - 1
    // Without boxes, this is the header of the chart pane.
    if state.pane == .chart { buffer.write(signs.selected, at: area.origin, style: theme[.borderFocused]) }
    var line = selectionLine(room: room) ?? Line(windowText, theme[.text])
    if screen.selectedRange == nil {
      if let farAway = screen.farAwayText { line.append("  \(farAway)", theme[.warning]) }
      line.append("  \(stepText)", stepStyle)
      if let answer {
        append(statistics(answer.summary, of: answer, in: answer.query.window), to: &line, room: room)
      }
    }
    buffer.write(line, at: Position(x: area.x + 1, y: area.y), limit: room, overflow: .ellipsis)
    if zoomWidth > 0 { buffer.write(zoom, endingAt: area.maxX, y: area.y) }
  }

  // MARK: The curve

  func chart(_ answer: HistoryAnswer) -> Chart {
    let window = state.window
    let points = answer.isTextChart ? [] : screen.curve(answer).points
    let places = points.map { Chart.Point(x: $0.x, y: $0.y.map(state.axis.place)) }
    var chart = Chart(
      series: places.isEmpty ? [] : [Chart.Series(places, style: theme[.series1], isGraded: true)],
      xRange: window.lowerBound.seconds...window.upperBound.seconds, yRange: state.axis.places,
      gutter: layout.gutter,
      theme: theme)
    if !answer.isCountChart, !answer.isShareChart {
      chart.bands = bands(answer)
      if let focus = state.focus {
        let limit = session.drawnLimit(of: focus)
        chart.limit = tick(of: limit, focus, on: state.axis)
        chart.isFloor = limit?.isFloor ?? false
      }
    }
    if let lanes = screen.textLanes {
      chart.lanes = lanes.lanes
    } else {
      chart.yTicks = valueTicks(answer)
    }
    chart.xTicks = layout.step >= .narrow && layout[.chart].height < 5 ? [] : timeTicks
    chart.gaps = state.gaps.map { gap in
      let length = gap.upperBound - gap.lowerBound
      return Chart.Tick((gap.lowerBound + length / 2).seconds, "gap \(DurationFormat.text(length))")
    }
    chart.markers = markers
    if !answer.isCountChart { chart.trouble = trouble }
    if session.isFrozen {
      let value = selectedValue.map { " = \($0)" } ?? ""
      let moment = zone.exactMoment(session.present, now: session.now, screen.precision)
      chart.playhead = Chart.Tick(session.present.seconds, moment + value)
    }
    return chart
  }

  /// Periods in the window in which the metric in focus was far from usual, on all hosts together.
  var trouble: [Range<Double>] {
    guard session.scope == .all, let focus = state.focus else { return [] }
    return session.incidents.stretches(of: focus, in: state.windowSeconds)
  }

  /// The value at the playhead.
  private var selectedValue: String? {
    guard let row = screen.selectedRow, row.time == session.present else { return nil }
    if case .number(let value) = row.value { return unit.text(value) }
    return row.value.words
  }

  private func bands(_ answer: HistoryAnswer) -> [Chart.Band] {
    Chart.Band.pair(
      answer.chart.columns.enumerated().compactMap { index, column in
        guard let column, column.numbers > 1 else { return nil }
        let start = answer.chart.start(ofColumn: index).seconds
        return (start..<start + answer.chart.step, column.spread)
      }, on: state.axis)
  }

  private func valueTicks(_ answer: HistoryAnswer) -> [Chart.Tick] {
    state.axis.ticks(rows: max(0, layout.plotArea.height - 1), width: layout.gutter) { value, width in
      if answer.isShareChart { return NumberFormat.share(value) }
      return (answer.isCountChart ? ValueUnit.plain : unit).text(value, width: width)
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
    let releases = session.annotationMarks(from: state.window.lowerBound, to: state.window.upperBound)
    return marks + alerts + incidents.map { Chart.Tick($0.peakTime, "!") } + releases
  }
}
