import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import TerminalUI

// The curves of the chart.
extension HistoryScreen {
  /// The metric in focus, if the chart shows its curve.
  var curveIdentity: SeriesIdentity? {
    guard let answer = session.history.answer, answer.query.focus == state.focus, !answer.isCountChart else {
      return nil
    }
    return state.focus
  }

  /// The curve of the metric in focus.
  func curve(_ answer: HistoryAnswer) -> MetricCurve {
    let focus = state.focus ?? SeriesIdentity(bucket: nil, name: "", typeName: "")
    return curve(of: answer.chart, focus, gaps: state.gaps, isCount: answer.isCountChart)
  }

  /// The curve of a chart: the median of each step, or the share of true for bools; a gap interrupts it.
  ///
  /// - Parameter isCount: true to show the number of samples per step instead.
  func curve(
    of chart: HistoryChart, _ identity: SeriesIdentity, gaps: [ClosedRange<Timestamp>], isCount: Bool = false
  ) -> MetricCurve {
    var curve = MetricCurve(identity: identity, extent: chart.extent, isShare: chart.isShare)
    var last: HistoryColumn?
    for (index, column) in chart.columns.enumerated() {
      guard let column, isCount || column.numbers > 0 else { continue }
      let x = (chart.start(ofColumn: index) + chart.step / 2).seconds
      // There may be columns without a number at the ends of the gap.
      if let last,
        gaps.contains(where: { $0.lowerBound >= last.lastTime && $0.upperBound <= column.firstTime })
      {
        curve.points.append(Chart.Point(x: x, y: nil))
      }
      let value = isCount ? Double(column.count) : curve.isShare ? column.mean : column.p50
      curve.points.append(Chart.Point(x: x, y: value))
      last = column
    }
    return curve
  }

  /// The pinned curves and the one in focus, each with its value at the playhead; `nil` if nothing is pinned.
  func curves(_ answer: HistoryAnswer) -> CurveSet? {
    guard !session.pins.isEmpty, state.focus != nil, !answer.isCountChart else { return nil }
    return CurveSet(
      focus: atPlayhead(curve(answer), answer.chart), axis: state.axis,
      pins: state.scale.value.pins.map { atPlayhead($0, answer.chart) },
      isLogarithmic: session.isLogarithmic, theme: session.theme)
  }

  /// The curve with the value of the last step that begins at or before the playhead.
  private func atPlayhead(_ curve: MetricCurve, _ chart: HistoryChart) -> MetricCurve {
    let edge = session.present.seconds + chart.step / 2
    guard let value = curve.points.last(where: { $0.x <= edge && $0.y != nil })?.y else { return curve }
    var copy = curve
    copy.value = curve.isShare ? NumberFormat.share(value) : session.unit(of: curve.identity).text(value)
    return copy
  }
}

extension HistoryChart {
  /// True if its numbers are bools, so that the curve is the share of true.
  var isShare: Bool {
    columns.contains { $0?.areBools ?? false } && columns.allSatisfy { $0?.areBools ?? true }
  }

  /// The range of its numbers.
  var extent: ValueExtent {
    var extent = ValueExtent()
    for column in columns.lazy.compactMap({ $0 }) where column.numbers > 0 {
      extent.add(column.minimum, column.maximum, middle: column.p50)
    }
    return extent
  }
}
