extension Chart {
  /// Columns between two signs of a curve, and between the signs of two curves.
  private static let signSpacing = 24
  private static let signShift = 5

  /// The signs of the curves, on the curves, each series at columns of its own; at least one of each where there is room.
  func renderSigns(_ scale: ChartScale, into buffer: inout Buffer) {
    var taken: Set<Position> = []
    for (index, one) in series.enumerated() {
      guard let sign = one.sign else { continue }
      let columns = scale.columns(of: one.points)
      let known = columns.indices.filter { columns[$0] != nil }
      let regular = known.filter { $0 % Self.signSpacing == (2 + index * Self.signShift) % Self.signSpacing }
      // Where the curve is short its own columns are used, from its end.
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
}
