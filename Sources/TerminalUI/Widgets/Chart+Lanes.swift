extension Chart {
  /// The share of one value over time: a part of the strip, and a row with its name.
  package struct Lane: Hashable, Sendable {
    /// A stretch of time: occurrences of the value among those of all values.
    package struct Step: Hashable, Sendable {
      package var x: Range<Double>
      package var count: Int
      package var total: Int

      package init(x: Range<Double>, count: Int, total: Int) {
        (self.x, self.count, self.total) = (x, count, total)
      }
    }

    package var label: String
    /// A number next to the label; never cut when space is short.
    package var figure: String
    package var steps: [Step]
    package var style: Style

    package init(_ label: String, figure: String, steps: [Step], style: Style) {
      (self.label, self.figure, self.steps, self.style) = (label, figure, steps, style)
    }
  }

  /// Height of the strip with the stacked shares, in rows.
  package static let stripHeight = 2

  /// Draws the strip of all lanes, the first one at the bottom.
  func renderLanes(_ scale: ChartScale, in area: Rect, into buffer: inout Buffer) {
    let plot = scale.plot
    let shares = lanes.map { self.shares(of: $0, scale) }
    let levels = plot.height * theme.signs.sparks.count
    for column in 0..<plot.width {
      var tops: [Int] = []
      var sum = 0.0
      for lane in shares {
        sum += lane[column]
        tops.append(Int((min(1, sum) * Double(levels)).rounded()))
      }
      guard sum > 0 else { continue }
      for row in 0..<plot.height {
        renderCell(tops, row: row, Position(x: plot.x + column, y: plot.maxY - 1 - row), into: &buffer)
      }
    }
    let list = area.inset(top: plot.maxY - area.y + (hasTimeAxis ? 1 : 0))
    for (index, lane) in lanes.enumerated() where index < list.height {
      renderLabel(lane, index, in: list.row(index), into: &buffer)
    }
  }

  /// The share of a lane in each column, from 0 to 1.
  private func shares(of lane: Lane, _ scale: ChartScale) -> [Double] {
    var counts = Array(repeating: (count: 0.0, total: 0.0), count: scale.plot.width)
    for step in lane.steps where step.total > 0 {
      for column in scale.columns(step.x) where counts.indices.contains(column) {
        counts[column].count += Double(step.count)
        counts[column].total += Double(step.total)
      }
    }
    return counts.map { $0.total > 0 ? $0.count / $0.total : 0 }
  }

  /// Draws one cell of the strip: the lane that fills most of it and, if colors allow, the next one above.
  private func renderCell(_ tops: [Int], row: Int, _ place: Position, into buffer: inout Buffer) {
    let signs = theme.signs.sparks
    let (low, high) = (row * signs.count, (row + 1) * signs.count)
    guard let first = tops.firstIndex(where: { $0 > low }) else { return }
    let filled = min(tops[first], high) - low
    let next = tops.firstIndex { $0 > tops[first] } ?? first
    let (lower, upper) = (lanes[first].style, lanes[next].style)
    guard lower.foreground != .standard else {
      let most = filled * 2 >= signs.count ? first : next
      return put(laneSign(most), at: place, style: lanes[most].style, into: &buffer)
    }
    let hasUpper = filled < signs.count && next != first
    put(signs[filled - 1], at: place, style: hasUpper ? lower.on(upper.foreground) : lower, into: &buffer)
  }

  private func put(_ sign: String, at place: Position, style: Style, into buffer: inout Buffer) {
    buffer.write(sign, at: place, style: style, limit: 1)
  }

  /// The symbol of a lane without colors.
  private func laneSign(_ index: Int) -> String {
    lanes[index].style.foreground == .standard ? String(index % 9 + 1) : theme.signs.swatch
  }

  private func renderLabel(_ lane: Lane, _ index: Int, in row: Rect, into buffer: inout Buffer) {
    buffer.write(laneSign(index), at: Position(x: row.x + 1, y: row.y), style: lane.style)
    let figures = SafeText.width(of: lane.figure, repertoire: buffer.repertoire)
    let room = max(0, row.width - 5 - figures)
    let names = lanes.reduce(0) { max($0, SafeText.width(of: $1.label, repertoire: buffer.repertoire)) }
    let width = min(room, names)
    buffer.write(
      lane.label, at: Position(x: row.x + 3, y: row.y), style: theme[.text], limit: width, overflow: .ellipsis
    )
    let widest = lanes.reduce(0) { max($0, $1.figure.count) }
    buffer.write(
      lane.figure, endingAt: min(row.maxX, row.x + 4 + width + widest), y: row.y, style: theme[.value])
  }
}
