import Aggregation
import Codecs
import DashboardCore
import History
import TerminalUI

// Updates the content of the History screen once per change.
extension HistoryScreen {
  var layout: HistoryLayout {
    HistoryLayout(size: session.size, pane: state.pane, isMaximised: state.isMaximised)
  }

  mutating func refresh() {
    if state.focus == nil || state.wantedFocus != nil { chooseFocus() }
    refreshWindow()
    refreshCursor()
    refreshTree()
    refreshScale()
  }

  /// Focuses the series requested by name, otherwise the subject of another screen, otherwise the first series.
  private mutating func chooseFocus() {
    if let wanted = state.wantedFocus {
      guard let answer = session.history.answer else { return }
      let fitting = answer.series.named(wanted, \.identity)
      state.wantedFocus = nil
      state.focus = firstListed(of: fitting)
      if state.focus == nil {
        state.unknownFocus = wanted
        session.showToast("No metric is called \(wanted)\(session.amongKept)")
      }
    } else {
      state.focus = state.suggestedFocus ?? session.history.answer.flatMap { firstListed(of: $0.series) }
    }
    if let focus = state.focus, state.row == nil { state.row = .node(.series(focus)) }
  }

  private func firstListed(of series: [HistorySeries]) -> SeriesIdentity? {
    series.min { $0.isListed(before: $1) }?.identity
  }

  // MARK: The chart

  private mutating func refreshScale() {
    let (history, focus) = (session.history, state.focus)
    let key = HistoryState.ScaleKey(
      answer: history.$answer, focus: focus, isLogarithmic: session.isLogarithmic, pins: session.pins,
      limit: focus.flatMap(session.drawnLimit))
    var scale = state.scale
    scale.update(for: key) { old in
      guard let answer = history.answer, answer.query.focus == focus else {
        return HistoryChartScale(axis: old.axis)
      }
      return self.scale(of: answer, old.axis)
    }
    state.scale = scale
    session.hasLogarithmicAxis = state.axis.isLogarithmic
  }

  private func scale(of answer: HistoryAnswer, _ old: ValueAxis) -> HistoryChartScale {
    var scale = HistoryChartScale(gaps: HistoryGaps(chart: answer.chart).found, axis: old)
    scale.extent = answer.valueExtent
    var scaled = scale.extent
    if let focus = state.focus, !answer.isCountChart {
      let own = curve(of: answer.chart, focus, gaps: scale.gaps)
      scale.pins = session.pins.compactMap { pin in
        pin == focus ? own : answer.pins[pin].map { curve(of: $0, pin, gaps: HistoryGaps(chart: $0).found) }
      }
      if CurveSet.haveOneAxis(own, scale.pins) { for pin in scale.pins { scaled.add(pin.extent) } }
    }
    if !answer.isCountChart { scaled.reach(state.focus.flatMap(session.drawnLimit)?.bound) }
    let axis = answer.isShareChart ? .share : scaled.axis(isLogarithmic: session.isLogarithmic)
    scale.axis = axis ?? old
    return scale
  }
}

extension HistorySeries {
  /// The order of the tree; engine records have screens of their own and come last.
  func isListed(before other: HistorySeries) -> Bool {
    let (isEngine, isOtherEngine) = (
      identity.isEngineRecord, other.identity.isEngineRecord
    )
    return isEngine == isOtherEngine ? identity.isListed(before: other.identity) : isOtherEngine
  }
}

extension HistoryAnswer {
  /// True if the chart shows sample counts, because the values are not numbers.
  var isCountChart: Bool {
    query.narrowed != nil || !chart.columns.contains { ($0?.numbers ?? 0) > 0 }
  }

  /// True if the chart shows the shares of texts over time.
  var isTextChart: Bool { isCountChart && query.narrowed == nil && !chart.texts.isEmpty }

  /// True if the chart shows the share of true bools.
  var isShareChart: Bool { !isCountChart && chart.isShare }

  /// The range of the values in the chart.
  var valueExtent: ValueExtent {
    var extent = ValueExtent()
    let isCount = isCountChart
    guard isCount else { return chart.extent }
    extent.add(0, 0, middle: 0)
    for column in chart.columns.lazy.compactMap({ $0 }) {
      extent.add(Double(column.count), Double(column.count), middle: 0)
    }
    return extent
  }
}
