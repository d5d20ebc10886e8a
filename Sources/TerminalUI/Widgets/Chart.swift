/// A line chart over time with axes, gaps, a limit and a playhead, in the glyph tier of its theme.
///
/// Braille has 2 by 4 dots per cell, blocks draw a filled curve in eighths, ASCII has three heights per row.
package struct Chart: Widget {
  /// One value in time; `nil` interrupts the line.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double?

    package init(x: Double, y: Double?) {
      self.x = x
      self.y = y
    }
  }

  /// Points in time order, in one style.
  package struct Series: Hashable, Sendable {
    package var points: [Point]
    package var style: Style
    /// True if braille skips every other dot, so that two lines can be distinguished without color.
    package var isDotted: Bool
    /// A marker on the curve every few columns, to distinguish several without color.
    package var sign: String?
    /// The label at its end, to the right of the plot.
    package var label: String?
    /// True if its color depends on its height and on whether it is beyond a limit.
    package var isGraded: Bool

    package init(
      _ points: [Point], style: Style, isDotted: Bool = false, sign: String? = nil, label: String? = nil,
      isGraded: Bool = false
    ) {
      self.points = points
      self.style = style
      self.isDotted = isDotted
      self.sign = sign
      self.label = label
      self.isGraded = isGraded
    }
  }

  /// A position on an axis with its label.
  package struct Tick: Hashable, Sendable {
    package var value: Double
    package var label: String
    /// The symbol before a mark's label; `nil` for the usual one.
    package var sign: String?

    package init(_ value: Double, _ label: String, sign: String? = nil) {
      (self.value, self.label, self.sign) = (value, label, sign)
    }
  }

  /// The range between two values during a stretch of time.
  package struct BandPoint: Hashable, Sendable {
    package var x: Range<Double>
    package var low: Double
    package var high: Double

    package init(x: Range<Double>, low: Double, high: Double) {
      self.x = x
      self.low = low
      self.high = high
    }
  }

  /// The range of a part of the values, drawn as a background.
  package struct Band: Hashable, Sendable {
    package var points: [BandPoint]
    /// True for the wider of two bands.
    package var isWide: Bool

    package init(_ points: [BandPoint], isWide: Bool) {
      self.points = points
      self.isWide = isWide
    }
  }

  package var series: [Series]
  /// Single values near the first line, but too far away to belong to it.
  package var dots: [Point] = []
  /// Bands behind the lines, narrowest first.
  package var bands: [Band] = []
  /// Shares of values, stacked in a strip and listed below it, in place of lines.
  package var lanes: [Lane] = []
  package var xRange: ClosedRange<Double>
  package var yRange: ClosedRange<Double>
  package var yTicks: [Tick] = []
  package var xTicks: [Tick] = []
  /// Marks on the time axis, drawn with `▲` or their own symbol and their label; they take precedence over ticks.
  package var markers: [Tick] = []
  /// Times without data, drawn as `┊` over the whole height.
  package var gaps: [Tick] = []
  /// A level that should not be crossed, drawn as `╌`.
  package var limit: Tick?
  /// True if the limit is a lower bound.
  package var isFloor = false
  /// Time ranges in which graded lines and bands have the colors of values beyond a limit.
  package var trouble: [Range<Double>] = []
  /// The point in time that the whole screen shows.
  package var playhead: Tick?
  /// Columns left of the axis line; 0 omits the axis.
  package var gutter: Int
  package var theme: Theme

  package init(
    series: [Series], xRange: ClosedRange<Double>, yRange: ClosedRange<Double>, gutter: Int = 5,
    theme: Theme
  ) {
    self.series = series
    self.xRange = xRange
    self.yRange = yRange
    self.gutter = max(0, gutter)
    self.theme = theme
  }

  var hasTimeAxis: Bool { !xTicks.isEmpty || !markers.isEmpty }

  /// The area of the plot itself.
  package func plot(in area: Rect) -> Rect {
    let axis = gutter > 0 && lanes.isEmpty ? min(gutter + 1, area.width) : 0
    let plot = area.inset(left: axis, bottom: hasTimeAxis && area.height > 1 ? 1 : 0)
    if let longest = series.lazy.compactMap(\.label).map({ SafeText.width(of: $0) }).max() {
      return plot.inset(right: min(longest + 1, plot.width / 3))
    }
    return lanes.isEmpty ? plot : plot.inset(bottom: max(0, plot.height - Self.stripHeight))
  }

  /// The time at a column of the screen, for the mouse; `nil` outside the plot.
  package func time(atColumn x: Int, in area: Rect) -> Double? {
    let plot = plot(in: area)
    guard x >= plot.x, x < plot.maxX else { return nil }
    let share = plot.width > 1 ? Double(x - plot.x) / Double(plot.width - 1) : 1
    return xRange.lowerBound + share * (xRange.upperBound - xRange.lowerBound)
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    let plot = plot(in: area)
    guard !area.isEmpty, !plot.isEmpty else { return }
    let scale = ChartScale(xRange: xRange, yRange: yRange, plot: plot)
    renderBackground(scale, into: &buffer)
    if lanes.isEmpty {
      renderLines(scale, into: &buffer)
    } else {
      renderLanes(scale, in: area, into: &buffer)
    }
    renderSigns(scale, into: &buffer)
    renderLabels(scale, until: area.maxX, into: &buffer)
    renderLimitLabel(scale, into: &buffer)
    renderPlayheadLabel(scale, into: &buffer)
    renderBands(scale, into: &buffer)
    if gutter > 0, lanes.isEmpty { renderValueAxis(scale, in: area, into: &buffer) }
    if plot.maxY < area.maxY { renderTimeAxis(scale, y: plot.maxY, into: &buffer) }
  }

  private func renderLines(_ scale: ChartScale, into buffer: inout Buffer) {
    let looks = series.map { ChartLook($0, of: self, scale) }
    switch theme.glyphs {
    case .braille:
      var canvas = BrailleCanvas(size: scale.plot.size)
      for (index, one) in series.enumerated() {
        canvas.draw(
          one.points, scale: scale, series: UInt8(truncatingIfNeeded: index), isDotted: one.isDotted)
      }
      for dot in dots { canvas.draw([dot], scale: scale, series: 0) }
      canvas.render(at: scale.plot.origin, looks: looks, into: &buffer)
    case .blocks:
      renderDots(looks, scale, into: &buffer)
      // A filled curve would hide those behind it.
      let isOne = series.count < 2
      for (one, look) in zip(series, looks).reversed() {
        if isOne {
          ColumnCurve(one, look, scale: scale).renderBlocks(into: &buffer)
        } else {
          ColumnCurve(one, look, scale: scale).renderASCII(into: &buffer)
        }
      }
    case .ascii:
      renderDots(looks, scale, into: &buffer)
      for (one, look) in zip(series, looks).reversed() {
        ColumnCurve(one, look, scale: scale).renderASCII(into: &buffer)
      }
    }
  }

  /// Draws single values, for tiers with one symbol per cell.
  private func renderDots(_ looks: [ChartLook], _ scale: ChartScale, into buffer: inout Buffer) {
    guard let look = looks.first else { return }
    for dot in dots {
      guard let column = scale.column(dot.x), let row = dot.y.flatMap({ scale.row($0) }) else { continue }
      buffer.put(
        Cell(base: theme.glyphs == .ascii ? "'" : "·", style: look[row, column]), x: scale.plot.x + column,
        y: scale.plot.y + row)
    }
  }

  /// The rows of the plot beyond the limit.
  func excessRows(_ scale: ChartScale) -> Range<Int> {
    let height = scale.plot.height
    guard let limit, limit.value.isFinite, let row = scale.row(limit.value) else { return 0..<0 }
    if isFloor { return limit.value > yRange.upperBound ? 0..<height : min(row + 1, height)..<height }
    return limit.value < yRange.lowerBound ? 0..<height : 0..<row
  }

  /// The columns of the plot that lie in a time range with trouble.
  func troubledColumns(_ scale: ChartScale) -> Set<Int> {
    trouble.reduce(into: []) { $0.formUnion(scale.columns($1)) }
  }

  /// Colors all cells of the bands; without colors, blank cells get a symbol.
  private func renderBands(_ scale: ChartScale, into buffer: inout Buffer) {
    let excess = excessRows(scale)
    let troubled = troubledColumns(scale)
    let plot = scale.plot
    for band in bands {
      let usual = theme[band.isWide ? .bandWide : .band].background
      let beyond = theme[band.isWide ? .excessBandWide : .excessBand].background
      let sign: Unicode.Scalar = theme.glyphs == .ascii ? (band.isWide ? "." : ":") : band.isWide ? "·" : "░"
      for point in band.points {
        guard let top = scale.row(point.high), let bottom = scale.row(point.low), top <= bottom else {
          continue
        }
        for column in scale.columns(point.x) {
          for row in top...bottom {
            buffer.tint(
              x: plot.x + column, y: plot.y + row,
              excess.contains(row) || troubled.contains(column) ? beyond : usual,
              orPut: Cell(base: sign, style: theme[.dim]))
          }
        }
      }
    }
  }
}

/// The styles of a series in the cells of a plot.
struct ChartLook {
  private let rows: [Style]
  /// The columns with trouble, and the styles there.
  private let troubled: Set<Int>
  private let troubledRows: [Style]

  init(_ series: Chart.Series, of chart: Chart, _ scale: ChartScale) {
    let height = scale.plot.height
    guard series.isGraded else {
      rows = Array(repeating: series.style, count: height)
      (troubled, troubledRows) = ([], [])
      return
    }
    let excess = chart.excessRows(scale)
    rows = (0..<height).map { row in
      let part =
        excess.contains(row) ? excess : excess.lowerBound == 0 ? excess.upperBound..<height : 0..<height
      let share = 1 - (Double(row - part.lowerBound) + 0.5) / Double(max(1, part.count))
      guard excess.contains(row) else { return chart.theme.height(share) }
      return chart.theme.excess(chart.isFloor ? 1 - share : share)
    }
    troubled = chart.troubledColumns(scale)
    troubledRows =
      troubled.isEmpty ? [] : (0..<height).map { chart.theme.excess(1 - Double($0) / Double(height)) }
  }

  /// - Parameters:
  ///   - row: Counted from the top.
  ///   - column: Counted from the left.
  subscript(row: Int, column: Int) -> Style {
    let looks = troubled.contains(column) ? troubledRows : rows
    return looks.indices.contains(row) ? looks[row] : .plain
  }
}
