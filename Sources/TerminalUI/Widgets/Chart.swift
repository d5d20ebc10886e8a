/// A line through time with axes, gaps, a limit and a playhead, in the glyph tier of its theme.
///
/// Braille gives 2 by 4 dots a cell, blocks a filled curve of eighths, ASCII three heights a row.
package struct Chart: Widget {
  /// One value in time; nil breaks the line.
  package struct Point: Hashable, Sendable {
    package var x: Double
    package var y: Double?

    package init(x: Double, y: Double?) {
      self.x = x
      self.y = y
    }
  }

  /// Points in the order of time, in one look.
  package struct Series: Hashable, Sendable {
    package var points: [Point]
    package var style: Style
    /// Whether braille leaves out every other dot, so that two lines are told apart without colour.
    package var isDotted: Bool
    /// What stands on the curve every few columns, so that several are told apart without colour.
    package var sign: String?

    package init(_ points: [Point], style: Style, isDotted: Bool = false, sign: String? = nil) {
      self.points = points
      self.style = style
      self.isDotted = isDotted
      self.sign = sign
    }
  }

  /// A place on an axis with its words.
  package struct Tick: Hashable, Sendable {
    package var value: Double
    package var label: String
    /// What stands before a mark's label; `nil` for the usual sign.
    package var sign: String?

    package init(_ value: Double, _ label: String, sign: String? = nil) {
      (self.value, self.label, self.sign) = (value, label, sign)
    }
  }

  /// What lies between two values in a stretch of time.
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

  package var series: [Series]
  /// A band under the lines, filled loosely so that the lines stay readable; no point, no fill.
  package var band: [BandPoint] = []
  package var bandStyle = Style.plain
  /// Bars in rows of their own, with their labels left of the axis; they take the place of lines.
  package var lanes: [Lane] = []
  package var xRange: ClosedRange<Double>
  package var yRange: ClosedRange<Double>
  package var yTicks: [Tick] = []
  package var xTicks: [Tick] = []
  /// Marks on the time axis, drawn with `▲` or their own sign and their label; they win over ticks.
  package var markers: [Tick] = []
  /// Times where nothing was recorded, drawn as `┊` over the whole height.
  package var gaps: [Tick] = []
  /// A level that should not be passed, drawn as `╌`.
  package var limit: Tick?
  /// The moment that the whole screen shows.
  package var playhead: Tick?
  /// Columns left of the axis line; 0 leaves the axis out.
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

  private var hasTimeAxis: Bool { !xTicks.isEmpty || !markers.isEmpty }

  /// Where the line itself goes.
  package func plot(in area: Rect) -> Rect {
    let axis = gutter > 0 ? min(gutter + 1, area.width) : 0
    return area.inset(left: axis, bottom: hasTimeAxis && area.height > 1 ? 1 : 0)
  }

  /// The time under a column of the screen, for the mouse; nil outside the plot.
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
    renderLimitLabel(scale, into: &buffer)
    renderPlayheadLabel(scale, into: &buffer)
    if gutter > 0 { renderValueAxis(scale, in: area, into: &buffer) }
    if plot.maxY < area.maxY { renderTimeAxis(scale, y: plot.maxY, into: &buffer) }
  }

  private func renderLines(_ scale: ChartScale, into buffer: inout Buffer) {
    switch theme.glyphs {
    case .braille:
      var canvas = BrailleCanvas(size: scale.plot.size)
      for (index, one) in series.enumerated() {
        canvas.draw(
          one.points, scale: scale, series: UInt8(truncatingIfNeeded: index), isDotted: one.isDotted)
      }
      canvas.fill(band, scale: scale, series: UInt8(truncatingIfNeeded: series.count))
      canvas.render(at: scale.plot.origin, styles: series.map(\.style) + [bandStyle], into: &buffer)
    case .blocks:
      // A filled curve would hide the ones behind it.
      let isOne = series.count { $0.sign != nil } < 2
      for one in series.reversed() {
        if isOne {
          BlockCurve(one, scale: scale).render(into: &buffer)
        } else {
          AsciiCurve(one, scale: scale).render(into: &buffer)
        }
      }
      renderBand(scale, sign: "▒", into: &buffer)
    case .ascii:
      renderBand(scale, sign: ":", into: &buffer)
      for one in series.reversed() { AsciiCurve(one, scale: scale).render(into: &buffer) }
    }
  }

  /// The cells of the band, for the tiers without dots.
  private func renderBand(_ scale: ChartScale, sign: Unicode.Scalar, into buffer: inout Buffer) {
    let sign = buffer.repertoire == .ascii ? ":" : sign
    for point in band {
      guard let top = scale.row(point.high), let bottom = scale.row(point.low), top <= bottom else {
        continue
      }
      for column in scale.columns(point.x) {
        for row in top...bottom {
          buffer.put(
            Cell(base: sign, style: bandStyle), x: scale.plot.x + column, y: scale.plot.y + row)
        }
      }
    }
  }
}
