extension Chart {
  /// The share of one value over time, drawn as bars in rows of its own.
  package struct Lane: Hashable, Sendable {
    /// What a stretch of time holds: so many of the value out of so many of any.
    package struct Step: Hashable, Sendable {
      package var x: Range<Double>
      package var count: Int
      package var total: Int

      package init(x: Range<Double>, count: Int, total: Int) {
        (self.x, self.count, self.total) = (x, count, total)
      }
    }

    package var label: String
    /// A figure beside the label; it stays whole where room is short.
    package var figure: String
    package var steps: [Step]
    package var style: Style

    package init(_ label: String, figure: String, steps: [Step], style: Style) {
      (self.label, self.figure, self.steps, self.style) = (label, figure, steps, style)
    }
  }

  /// The lanes from the top down, each of the same height; those that have no room are left out.
  func renderLanes(_ scale: ChartScale, in area: Rect, into buffer: inout Buffer) {
    let plot = scale.plot
    let height = max(1, plot.height / max(1, lanes.count))
    for (index, lane) in lanes.prefix(plot.height).enumerated() {
      // A blank row above tells a full lane from the one above it.
      let rows = max(1, height - 1)
      let y = plot.y + (index + 1) * height - rows
      let bars = Rect(x: plot.x, y: y, width: plot.width, height: rows)
      renderBars(lane, scale, isAlone: height > 1, in: bars, into: &buffer)
      if plot.x > area.x { renderLabel(lane, rows: rows, y: y, scale, in: area, into: &buffer) }
    }
  }

  private func renderBars(
    _ lane: Lane, _ scale: ChartScale, isAlone: Bool, in bars: Rect, into buffer: inout Buffer
  ) {
    var counts = Array(repeating: (count: 0.0, total: 0.0), count: bars.width)
    for step in lane.steps where step.total > 0 {
      for column in scale.columns(step.x) where counts.indices.contains(column) {
        counts[column].count += Double(step.count)
        counts[column].total += Double(step.total)
      }
    }
    let signs = theme.signs.sparks
    let most = isAlone ? signs.count * bars.height : signs.count - 1
    for (column, sum) in counts.enumerated() where sum.count > 0 {
      // A value that occurred at all is seen.
      let level = max(1, min(most, Int((min(1, sum.count / sum.total) * Double(most)).rounded())))
      for row in 0..<bars.height {
        let filled = min(signs.count, level - row * signs.count)
        guard filled > 0 else { break }
        buffer.write(
          signs[filled - 1], at: Position(x: bars.x + column, y: bars.maxY - 1 - row), style: lane.style)
      }
    }
  }

  private func renderLabel(
    _ lane: Lane, rows: Int, y: Int, _ scale: ChartScale, in area: Rect, into buffer: inout Buffer
  ) {
    let axis = scale.plot.x - 1
    let width = SafeText.width(of: lane.figure, repertoire: buffer.repertoire)
    let hasOwnRow = rows > 1
    buffer.write(theme.signs.axisTick, at: Position(x: axis, y: y), style: theme[.dim])
    buffer.write(
      lane.label, at: Position(x: area.x, y: y), style: lane.style,
      limit: max(0, axis - area.x - (hasOwnRow ? 0 : width + 1)), overflow: .ellipsis)
    buffer.write(lane.figure, endingAt: axis, y: hasOwnRow ? y + 1 : y, style: theme[.value])
  }
}
