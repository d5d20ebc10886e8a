import Aggregation
import Codecs
import DashboardCore
import Platform
import TerminalUI

// The curves of the chart and their value axis.
extension LiveScreen {
  /// The curve of the metric in focus.
  func curve(_ focus: LiveFocus) -> MetricCurve {
    MetricCurve(
      identity: focus.identity, points: points(focus.columns, focus.gaps, focus.key, isShare: focus.isShare),
      extent: focus.extent, isShare: focus.isShare, value: words(focus.now, session.unit(of: focus.identity)))
  }

  /// The curves of pinned metrics, in the order of pinning.
  var pinnedCurves: [MetricCurve] { session.pins.compactMap { state.content.pins[$0]?.value } }

  /// Updates the curves of pinned metrics.
  mutating func refreshPins() {
    guard let focus = state.content.focus, focus.hasCurve, !session.pins.isEmpty, !layout[.chart].isEmpty
    else {
      return state.content.pins = [:]
    }
    var pins: [SeriesIdentity: Derived<LiveFocus.Key, MetricCurve>] = [:]
    for identity in session.pins {
      var pin = state.content.pins[identity] ?? Derived(MetricCurve(identity: identity))
      var key = focus.key
      let id = session.store.id(of: identity)
      key.version = id.map { session.store.version(of: $0) } ?? -1
      pin.update(for: key) { _ in
        id.map { pinned(identity, id: $0, key: key) } ?? MetricCurve(identity: identity)
      }
      pins[identity] = pin
    }
    state.content.pins = pins
  }

  private func pinned(_ identity: SeriesIdentity, id: SeriesID, key: LiveFocus.Key) -> MetricCurve {
    let (from, to) = (key.edge - key.window, key.edge)
    let columns = session.store.columns(of: id, from: from, to: to, count: key.columns)
    let tally = session.store.tally(of: id)
    let isShare = tally.numbers == 0 && tally.bools > 0
    let now = session.store.samples(of: id, from: from, to: to, limit: 1).first?.value
    return MetricCurve(
      identity: identity, points: points(columns, gaps(in: columns, series: id), key, isShare: isShare),
      extent: extent(columns), isShare: isShare, value: words(now, session.unit(of: identity)))
  }

  private func words(_ value: SeriesValue?, _ unit: ValueUnit) -> String? {
    if case .number(let number) = value { return unit.text(number) }
    return value?.words
  }

  private func extent(_ columns: [SeriesColumn?]) -> ValueExtent {
    var extent = ValueExtent()
    for column in columns.lazy.compactMap({ $0 }) where column.numbers > 0 {
      extent.add(column.minimum, column.maximum, middle: column.mean ?? 0)
    }
    return extent
  }

  /// The average of each column where samples are dense, otherwise its minimum and maximum; a gap breaks the line.
  private func points(
    _ columns: [SeriesColumn?], _ gaps: [ClosedRange<Timestamp>], _ key: LiveFocus.Key, isShare: Bool
  ) -> [Chart.Point] {
    let width = key.window / Double(max(1, columns.count))
    let start = (key.edge - key.window).seconds
    let isDense = isShare || LiveFocus.isDense(columns)
    var points: [Chart.Point] = []
    var last: SeriesColumn?
    for (index, column) in columns.enumerated() {
      guard let column, let mean = column.mean else { continue }
      let x = start + (Double(index) + 0.5) * width
      if let last, gaps.contains(where: { $0.lowerBound == last.end }) {
        points.append(Chart.Point(x: x, y: nil))
      }
      if column.numbers == 1 || isDense {
        points.append(Chart.Point(x: x, y: mean))
      } else {
        points.append(Chart.Point(x: x, y: column.minimum))
        points.append(Chart.Point(x: x, y: column.maximum))
      }
      last = column
    }
    return points
  }

  /// The maxima of columns that lie so far above their surroundings that the average would hide them.
  func peaks(_ focus: LiveFocus) -> [Chart.Point] {
    guard focus.hasAverages else { return [] }
    let key = focus.key
    let (start, width) = ((key.edge - key.window).seconds, key.window / Double(max(1, focus.columns.count)))
    var stretches = focus.spreads[...]
    return focus.columns.enumerated().compactMap { index, column in
      let x = start + (Double(index) + 0.5) * width
      while let first = stretches.first, first.time.upperBound <= x { stretches.removeFirst() }
      guard let column, let spread = stretches.first?.spread,
        column.maximum > spread.p95 + (spread.p95 - spread.p5)
      else { return nil }
      return Chart.Point(x: x, y: column.maximum)
    }
  }

  /// Fits the value axis to the curves of the chart.
  mutating func fitAxis() {
    guard var focus = state.content.focus else { return }
    focus.extent = extent(focus.columns)
    var scaled = focus.extent
    let pins = pinnedCurves
    if !pins.isEmpty, CurveSet.haveOneAxis(curve(focus), pins) { for pin in pins { scaled.add(pin.extent) } }
    scaled.reach(focus.limit?.bound)
    guard let wanted = focus.isShare ? .share : scaled.axis(isLogarithmic: session.isLogarithmic) else {
      return
    }
    // A chart that does not move needs no delayed axis.
    if !isFollowing, !session.isFrozen, state.isAutoScaled { state.axis = AxisHold() }
    focus.axis = wanted
    session.hasLogarithmicAxis = wanted.isLogarithmic
    let key = AxisHold.Key(
      series: focus.identity, pins: session.pins, isLogarithmic: wanted.isLogarithmic)
    focus.axis.range = state.axis.fit(
      wanted.range, for: key, now: session.now, isFixed: !state.isAutoScaled)
    state.content.focus = focus
  }
}
