extension Chart {
  /// Gaps, the limit and the playhead: what the curve is drawn over.
  func renderBackground(_ scale: ChartScale, into buffer: inout Buffer) {
    let plot = scale.plot
    let signs = theme.signs
    if let limit, limit.value >= yRange.lowerBound, limit.value <= yRange.upperBound,
      let row = scale.row(limit.value)
    {
      let rule = String(repeating: signs.limit, count: plot.width)
      let y = plot.y + row
      buffer.write(rule, at: Position(x: plot.x, y: y), style: theme[.limit], limit: plot.width)
      buffer.write(
        limit.label, at: Position(x: plot.x + 2, y: y), style: theme[.limit], limit: plot.width - 4,
        overflow: .ellipsis)
    }
    for gap in gaps { upright(gap, sign: signs.gap, style: theme[.gap], scale, into: &buffer) }
    if let playhead {
      upright(playhead, sign: signs.vertical, style: theme[.accent], scale, into: &buffer)
    }
  }

  /// A vertical line with its label around it in the first row.
  private func upright(
    _ tick: Tick, sign: String, style: Style, _ scale: ChartScale, into buffer: inout Buffer
  ) {
    guard let column = scale.column(tick.value) else { return }
    let plot = scale.plot
    for y in plot.y..<plot.maxY {
      buffer.write(sign, at: Position(x: plot.x + column, y: y), style: style)
    }
    let width = SafeText.width(of: tick.label, repertoire: buffer.repertoire)
    guard width > 0, width <= plot.width else { return }
    let start = max(0, min(plot.width - width, column - width / 2))
    buffer.write(tick.label, at: Position(x: plot.x + start, y: plot.y), style: style, limit: width)
  }

  /// The values at the left, each with its tick; a label that has no room is left out.
  func renderValueAxis(_ scale: ChartScale, in area: Rect, into buffer: inout Buffer) {
    let plot = scale.plot
    for tick in yTicks where tick.value >= yRange.lowerBound && tick.value <= yRange.upperBound {
      guard let row = scale.row(tick.value), plot.x > area.x else { continue }
      let y = plot.y + row
      buffer.write(theme.signs.axisTick, at: Position(x: plot.x - 1, y: y), style: theme[.dim])
      let room = plot.x - 1 - area.x
      guard SafeText.width(of: tick.label, repertoire: buffer.repertoire) <= room else { continue }
      buffer.write(tick.label, endingAt: plot.x - 1, y: y, style: theme[.dim])
    }
  }

  /// The times below: marks first, then ticks from both ends inwards; what would touch is left out.
  func renderTimeAxis(_ scale: ChartScale, y: Int, into buffer: inout Buffer) {
    var taken = [Bool](repeating: false, count: scale.plot.width)
    for marker in markers {
      let text = theme.signs.marker + marker.label
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
