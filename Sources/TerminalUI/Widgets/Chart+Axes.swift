extension Chart {
  /// Draws what lies behind the curve: gaps, the limit and the playhead.
  func renderBackground(_ scale: ChartScale, into buffer: inout Buffer) {
    let plot = scale.plot
    let signs = theme.signs
    if let limit, limit.value >= yRange.lowerBound, limit.value <= yRange.upperBound,
      let row = scale.row(limit.value)
    {
      let rule = String(repeating: signs.limit, count: plot.width)
      let y = plot.y + row
      buffer.write(rule, at: Position(x: plot.x, y: y), style: theme[.limit], limit: plot.width)
    }
    var taken = 0..<0
    if let playhead {
      upright(playhead.value, sign: signs.vertical, style: theme[.accent], scale, into: &buffer)
      taken = labelColumns(playhead, scale, buffer) ?? taken
    }
    var end = -1
    for gap in gaps {
      upright(gap.value, sign: signs.gap, style: theme[.gap], scale, into: &buffer)
      guard let columns = labelColumns(gap, scale, buffer), columns.lowerBound > end,
        taken.isEmpty || columns.lowerBound > taken.upperBound || columns.upperBound < taken.lowerBound
      else { continue }
      write(gap.label, in: columns, style: theme[.gap], plot, into: &buffer)
      end = columns.upperBound
    }
  }

  /// Draws the limit's label, which lies over the curve.
  func renderLimitLabel(_ scale: ChartScale, into buffer: inout Buffer) {
    let plot = scale.plot
    guard let limit, limit.value >= yRange.lowerBound, limit.value <= yRange.upperBound,
      let row = scale.row(limit.value)
    else { return }
    buffer.write(
      limit.label, at: Position(x: plot.x + 2, y: plot.y + row), style: theme[.limit], limit: plot.width - 4,
      overflow: .ellipsis)
  }

  /// Draws the playhead's label, which the curve would make unreadable.
  func renderPlayheadLabel(_ scale: ChartScale, into buffer: inout Buffer) {
    guard let playhead, let columns = labelColumns(playhead, scale, buffer) else { return }
    write(playhead.label, in: columns, style: theme[.accent], scale.plot, into: &buffer)
  }

  /// Draws a vertical line.
  private func upright(
    _ value: Double, sign: String, style: Style, _ scale: ChartScale, into buffer: inout Buffer
  ) {
    guard let column = scale.column(value) else { return }
    let plot = scale.plot
    for y in plot.y..<plot.maxY {
      buffer.write(sign, at: Position(x: plot.x + column, y: y), style: style)
    }
  }

  /// The columns of the plot that a vertical line's label takes; `nil` if there is no room for it.
  private func labelColumns(_ tick: Tick, _ scale: ChartScale, _ buffer: Buffer) -> Range<Int>? {
    let width = SafeText.width(of: tick.label, repertoire: buffer.repertoire)
    guard let column = scale.column(tick.value), width > 0, width <= scale.plot.width else { return nil }
    let start = max(0, min(scale.plot.width - width, column - width / 2))
    return start..<start + width
  }

  private func write(
    _ label: String, in columns: Range<Int>, style: Style, _ plot: Rect, into buffer: inout Buffer
  ) {
    buffer.write(
      label, at: Position(x: plot.x + columns.lowerBound, y: plot.y), style: style, limit: columns.count)
  }

  /// Draws the values at the left, except for labels that have no room.
  func renderValueAxis(_ scale: ChartScale, in area: Rect, into buffer: inout Buffer) {
    let plot = scale.plot
    for tick in yTicks where tick.value >= yRange.lowerBound && tick.value <= yRange.upperBound {
      guard let row = scale.row(tick.value), plot.x > area.x else { continue }
      let y = plot.y + row
      let room = plot.x - 1 - area.x
      guard SafeText.width(of: tick.label, repertoire: buffer.repertoire) <= room else { continue }
      buffer.write(tick.label, endingAt: plot.x - 1, y: y, style: theme[.dim])
    }
  }

  /// Draws the times below: marks first, then ticks from both ends inward, except for those that would touch.
  func renderTimeAxis(_ scale: ChartScale, y: Int, into buffer: inout Buffer) {
    var taken = [Bool](repeating: false, count: scale.plot.width)
    for marker in markers {
      let text = (marker.sign ?? theme.signs.marker) + marker.label
      label(text, at: marker.value, centred: false, theme[.marker], scale, y, &taken, &buffer)
    }
    let ordered = [xTicks.last, xTicks.first].compactMap { $0 } + xTicks.dropFirst().dropLast()
    for tick in ordered {
      label(tick.label, at: tick.value, centred: true, theme[.dim], scale, y, &taken, &buffer)
    }
  }

  private func label(
    _ text: String, at value: Double, centred: Bool, _ style: Style, _ scale: ChartScale, _ y: Int,
    _ taken: inout [Bool], _ buffer: inout Buffer
  ) {
    let width = SafeText.width(of: text, repertoire: buffer.repertoire)
    guard let column = scale.column(value), width > 0, width <= taken.count else { return }
    let start = max(0, min(taken.count - width, centred ? column - width / 2 : column))
    let guarded = max(0, start - 1)..<min(taken.count, start + width + 1)
    guard !taken[guarded].contains(true) else { return }
    for index in start..<start + width { taken[index] = true }
    buffer.write(text, at: Position(x: scale.plot.x + start, y: y), style: style, limit: width)
  }
}
