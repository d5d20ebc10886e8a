import Aggregation
import Codecs
import TerminalUI

/// The curve of one metric, in its values.
struct MetricCurve: Hashable, Sendable {
  var identity: SeriesIdentity
  var points: [Chart.Point] = []
  var extent = ValueExtent()
  /// Whether the values are shares of true.
  var isShare = false
  /// The value at the playhead in words; `nil` without one.
  var value: String?

  /// Whether two curves measure the same, so that one axis can tell both.
  func isAlike(_ other: MetricCurve) -> Bool {
    isShare == other.isShare && (isShare || identity.unit == other.identity.unit)
  }
}

/// Several curves in one chart: on one axis where all measure the same, else each scaled to its own range.
struct CurveSet {
  /// A curve with its place on the screen.
  struct Entry {
    let curve: MetricCurve
    let axis: ValueAxis
    let sign: String
    let style: Style
  }

  /// The curve in focus first, then those that are pinned.
  let entries: [Entry]
  let hasOneAxis: Bool
  private let focusAxis: ValueAxis

  /// - Parameters:
  ///   - focus: the curve whose axis is shown.
  ///   - axis: its axis, which is that of all where they measure the same.
  ///   - pins: in the order of their signs; the one in focus may be among them.
  init(focus: MetricCurve, axis: ValueAxis, pins: [MetricCurve], isLogarithmic: Bool, theme: Theme) {
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
    entries = [first] + numbered.filter { $0.curve.identity != focus.identity }
    (self.hasOneAxis, focusAxis) = (hasOneAxis, axis)
  }

  /// Whether all curves measure the same.
  static func haveOneAxis(_ focus: MetricCurve, _ pins: [MetricCurve]) -> Bool {
    pins.allSatisfy { focus.isAlike($0) }
  }

  /// Puts the curves into a chart that has a value axis for the one in focus.
  func draw(in chart: inout Chart) {
    chart.series = entries.map { entry in
      Chart.Series(
        entry.curve.points.map { Chart.Point(x: $0.x, y: $0.y.map { place($0, on: entry.axis) }) },
        style: entry.style, sign: entry.sign)
    }
    guard !hasOneAxis else { return }
    // The ticks were placed in the measure of the axis.
    let (low, high) = (focusAxis.places.lowerBound / 2, focusAxis.places.upperBound / 2)
    func share(_ tick: Chart.Tick) -> Chart.Tick {
      Chart.Tick(high > low ? (tick.value / 2 - low) / (high - low) : 0, tick.label)
    }
    (chart.yRange, chart.yTicks, chart.limit) = (0...1, chart.yTicks.map(share), chart.limit.map(share))
  }

  private func place(_ value: Double, on axis: ValueAxis) -> Double {
    hasOneAxis ? axis.place(value) : axis.share(value)
  }

  /// Sign, name and value of each curve, and how they are scaled, in rows of at most `width` columns.
  func legend(width: Int, rows: Int, theme: Theme) -> [Line] {
    var parts = entries.map { entry -> Line in
      var line = Line(entry.sign + " ", entry.style)
      line.append(entry.curve.identity.label + " ", theme[.dim])
      line.append(entry.curve.value ?? "-", theme[.value])
      return line
    }
    if !hasOneAxis {
      parts.append(
        Line("each scaled to its own range, axis of \(entries.first?.sign ?? "")", theme[.warning]))
    }
    var lines = [Line()]
    for part in parts {
      let used = lines[lines.count - 1].width()
      if used > 0, used + 2 + part.width() > width, lines.count < rows { lines.append(Line()) }
      if !lines[lines.count - 1].isEmpty { lines[lines.count - 1].append("  ") }
      lines[lines.count - 1].spans += part.spans
    }
    return lines
  }
}
