package import Aggregation
import Codecs
package import TerminalUI

/// The curve of one metric.
package struct MetricCurve: Hashable, Sendable {
  package var identity: SeriesIdentity
  package var points: [Chart.Point] = []
  package var extent = ValueExtent()
  /// True if the values are shares of `true`.
  package var isShare = false
  /// The value at the playhead as text; `nil` without one.
  package var value: String?

  /// True if both curves can share an axis.
  package func isAlike(_ other: MetricCurve) -> Bool {
    isShare == other.isShare && (isShare || identity.unit == other.identity.unit)
  }

  package init(
    identity: SeriesIdentity, points: [Chart.Point] = [], extent: ValueExtent = ValueExtent(),
    isShare: Bool = false, value: String? = nil
  ) {
    self.identity = identity
    self.points = points
    self.extent = extent
    self.isShare = isShare
    self.value = value
  }
}

/// Several curves: in one chart if they can share an axis, otherwise each in its own.
package struct CurveSet {
  /// A curve with its place on the screen.
  package struct Entry {
    package let curve: MetricCurve
    package let axis: ValueAxis
    package let sign: String
    package let style: Style

    /// The curve with its name and value at its end.
    package var series: Chart.Series {
      Chart.Series(
        curve.points.map { Chart.Point(x: $0.x, y: $0.y.map(axis.place)) }, style: style,
        sign: style.foreground == .standard ? sign : nil,
        label: "\(curve.identity.label) \(curve.value ?? "-")")
    }
  }

  /// Maximum curves that can be distinguished.
  package static let limit = 4

  /// The curve in focus first, then the pinned ones.
  package let entries: [Entry]
  package let hasOneAxis: Bool

  /// - Parameters:
  ///   - focus: the curve in focus.
  ///   - axis: its axis, shared by all if they measure the same.
  ///   - pins: in the order of their signs; may include the one in focus.
  package init(focus: MetricCurve, axis: ValueAxis, pins: [MetricCurve], isLogarithmic: Bool?, theme: Theme) {
    let hasOneAxis = Self.haveOneAxis(focus, pins)
    let numbered = pins.enumerated().map { place, curve in
      let isFocus = curve.identity == focus.identity
      let own = curve.isShare ? .share : curve.extent.axis(isLogarithmic: isLogarithmic)
      return Entry(
        curve: isFocus ? focus : curve, axis: isFocus || hasOneAxis ? axis : own ?? .share,
        sign: String(place + 1), style: theme.series(place))
    }
    let own = Entry(curve: focus, axis: axis, sign: theme.signs.selected, style: theme.series(pins.count))
    let first = numbered.first { $0.curve.identity == focus.identity } ?? own
    let others = numbered.filter { $0.curve.identity != focus.identity }
    entries = [first] + others.prefix(Self.limit - 1)
    self.hasOneAxis = hasOneAxis
  }

  /// True if all curves can share an axis.
  package static func haveOneAxis(_ focus: MetricCurve, _ pins: [MetricCurve]) -> Bool {
    pins.allSatisfy { focus.isAlike($0) }
  }
}

extension ScreenView {
  /// Draws the curves on the chart of the one in focus; one below the other if they have separate axes.
  package func draw(_ curves: CurveSet, on chart: Chart, in area: Rect, into buffer: inout Buffer) {
    var whole = chart
    whole.series = curves.entries.map(\.series)
    guard !curves.hasOneAxis else { return whole.render(in: area, into: &buffer) }
    let shown = curves.entries.prefix(max(1, area.height / 4))
    for (index, (entry, rect)) in zip(shown, area.rows(shown.map { _ in .fill(1) })).enumerated() {
      var one = chart
      one.series = [entry.series]
      if index < shown.count - 1 { (one.xTicks, one.markers) = ([], []) }
      if index > 0 { (one.bands, one.limit) = ([], nil) }
      one.yRange = entry.axis.places
      let unit = session.unit(of: entry.curve.identity)
      one.yTicks = entry.axis.ticks(rows: max(0, rect.height - 1), width: chart.gutter) { value, width in
        entry.curve.isShare ? NumberFormat.share(value) : unit.text(value, width: width)
      }
      one.render(in: rect, into: &buffer)
    }
  }
}
