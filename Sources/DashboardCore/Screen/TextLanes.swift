package import Aggregation
import Codecs
package import TerminalUI

/// The chart of a text metric: the shares of its most frequent values over time.
package struct TextLanes: Hashable, Sendable {
  package let lanes: [Chart.Lane]

  /// - Parameters:
  ///   - steps: the start and end of each column.
  ///   - gaps: time ranges without a sample that are much longer than usual, in seconds.
  ///   - area: the area of the chart, including its axes.
  package init(
    _ columns: TextColumns, steps: (Int) -> Range<Double>, gaps: [ClosedRange<Double>], in area: Rect,
    theme: Theme
  ) {
    let shown = columns.limited(to: max(1, area.height - Chart.stripHeight - 1))
    let all = shown.totals.reduce(0.0) { $0 + Double($1) }
    let places = shown.totals.indices.filter { shown.totals[$0] > 0 }
    let times = Self.times(places.map(steps), gaps: gaps)
    lanes = shown.lanes.enumerated().map { index, lane in
      Chart.Lane(
        Self.label(lane, others: shown.others), figure: NumberFormat.share(Double(lane.total) / max(1, all)),
        steps: zip(places, times).map {
          Chart.Lane.Step(x: $1, count: lane.counts[$0], total: shown.totals[$0])
        },
        style: lane.text == nil ? theme[.dim] : theme.series(index))
    }
  }

  /// A value lasts until the next sample, as in a curve, except for gaps.
  private static func times(_ steps: [Range<Double>], gaps: [ClosedRange<Double>]) -> [Range<Double>] {
    steps.indices.map { place in
      let step = steps[place]
      guard place + 1 < steps.count else { return step }
      let next = steps[place + 1].lowerBound
      let isGap = gaps.contains {
        $0.upperBound > step.lowerBound && $0.lowerBound < next && $0.upperBound >= next
      }
      return isGap ? step : step.lowerBound..<max(step.upperBound, next)
    }
  }

  private static func label(_ lane: TextColumns.Lane, others: Int) -> String {
    guard let text = lane.text else { return others > 0 ? "\(others) others" : "others" }
    return text.isEmpty ? "\"\"" : text
  }

  /// The chart's description.
  package static let words = "share of each value"
}
