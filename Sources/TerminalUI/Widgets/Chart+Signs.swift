extension Chart {
  /// Columns between two markers of a curve, and between the markers of two curves.
  private static let signSpacing = 24
  private static let signShift = 5

  /// Draws markers on the curves, each series at columns of its own; at least one each if there is room.
  func renderSigns(_ scale: ChartScale, into buffer: inout Buffer) {
    var taken: Set<Position> = []
    for (index, one) in series.enumerated() {
      guard let sign = one.sign else { continue }
      let columns = scale.columns(of: one.points)
      let known = columns.indices.filter { columns[$0] != nil }
      let regular = known.filter { $0 % Self.signSpacing == (2 + index * Self.signShift) % Self.signSpacing }
      // A short curve uses its own columns, from its end.
      let wanted = regular.isEmpty ? Array(known.reversed()) : regular
      for column in wanted {
        guard let value = columns[column], let row = scale.row(value.high) else { continue }
        let place = Position(x: scale.plot.x + column, y: scale.plot.y + row)
        guard taken.insert(place).inserted else { continue }
        buffer.write(sign, at: place, style: one.style)
        if regular.isEmpty { break }
      }
    }
  }

  /// Draws the curves' labels beside their ends, moved down if two would share a row; at the bottom if there is no end.
  func renderLabels(_ scale: ChartScale, until right: Int, into buffer: inout Buffer) {
    let plot = scale.plot
    let ends = series.compactMap { one -> (row: Int, label: String, style: Style)? in
      let end = one.points.last { $0.y != nil }?.y.flatMap { scale.row($0) }
      return one.label.map { (end ?? plot.height - 1, $0, one.style) }
    }.sorted { $0.row < $1.row }
    // Labels that are moved down must stay in the plot, so those above make room.
    var free = plot.height - ends.count
    var next = 0
    for end in ends {
      let row = max(next, min(end.row, free))
      (next, free) = (row + 1, free + 1)
      buffer.write(
        end.label, at: Position(x: plot.maxX + 1, y: plot.y + row), style: end.style,
        limit: max(0, right - plot.maxX - 1), overflow: .ellipsis)
    }
  }
}
