import Aggregation
import Codecs
import History
import TerminalUI

// What the History screen shows, brought up to date once a change.
extension ScreenModel where Owner == HistoryScreen {
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

  /// The series that was asked for by name, else the one that another screen is about, else the first one.
  private mutating func chooseFocus() {
    if let wanted = state.wantedFocus {
      guard let answer = session.history.answer else { return }
      let fitting = answer.series.filter {
        $0.identity.fullName == wanted || $0.identity.metricName == wanted
      }
      state.wantedFocus = nil
      state.focus = firstListed(of: fitting)
      if state.focus == nil {
        state.unknownFocus = wanted
        session.showToast("No metric is called \(wanted)")
      }
    } else {
      state.focus = state.suggestedFocus ?? session.history.answer.flatMap { firstListed(of: $0.series) }
    }
    if let focus = state.focus, state.row == nil { state.row = .node(.series(focus)) }
  }

  private func firstListed(of series: [HistorySeries]) -> SeriesIdentity? {
    series.min { $0.identity.isListed(before: $1.identity) }?.identity
  }

  // MARK: The chart

  private mutating func refreshScale() {
    let (history, focus) = (session.history, state.focus)
    let key = HistoryState.ScaleKey(answer: history.$answer, focus: focus)
    state.scale.update(for: key) { old in
      guard let answer = history.answer, answer.query.focus == focus else {
        return HistoryChartScale(range: old.range)
      }
      return HistoryChartScale(
        gaps: HistoryGaps(chart: answer.chart).found, range: answer.valueRange ?? old.range)
    }
  }
}

extension HistoryAnswer {
  /// Whether the chart shows how many samples there are, because their values are no numbers.
  var isCountChart: Bool {
    query.narrowed != nil || !chart.columns.contains { ($0?.numbers ?? 0) > 0 }
  }

  /// Whether the chart shows how many of its bools are true.
  var isShareChart: Bool {
    !isCountChart && chart.columns.contains { $0?.areBools ?? false }
      && chart.columns.allSatisfy { $0?.areBools ?? true }
  }

  /// Lowest and highest value of the chart on round numbers; `nil` where it has none.
  var valueRange: ClosedRange<Double>? {
    if isShareChart { return 0...1 }
    var (low, high) = (Double.infinity, -Double.infinity)
    let isCount = isCountChart
    for column in chart.columns.lazy.compactMap({ $0 }) {
      if isCount {
        (low, high) = (0, max(high, Double(column.count)))
      } else if column.numbers > 0 {
        (low, high) = (min(low, column.minimum), max(high, column.maximum))
      }
    }
    guard low <= high else { return nil }
    if low > 0, low < high * 0.6 { low = 0 }
    return NiceScale.range(low...high, ticks: 4).range
  }
}
