/// A curve with one value a column: the tiers for terminals whose fonts lack braille.
struct ColumnCurve {
  private let columns: [ColumnValue?]
  private let scale: ChartScale
  private let look: ChartLook

  init(_ series: Chart.Series, _ look: ChartLook, scale: ChartScale) {
    columns = scale.columns(of: series.points)
    self.scale = scale
    self.look = look
  }

  /// Draws it filled, in eighths of a cell.
  func renderBlocks(into buffer: inout Buffer) {
    let plot = scale.plot
    for (column, value) in columns.enumerated() {
      guard let value, let share = scale.yShare(value.high) else { continue }
      // At least one eighth, so that a value at the bottom differs from a missing one.
      let eighths = max(1, Int((share * Double(plot.height * 8)).rounded()))
      for row in 0..<plot.height {
        let filled = min(8, eighths - row * 8)
        guard filled > 0 else { break }
        guard let sign = Unicode.Scalar(0x2580 + UInt32(filled)) else { continue }
        buffer.put(
          Cell(base: buffer.repertoire.hasSigns ? sign : "#", style: look[plot.height - 1 - row, column]),
          x: plot.x + column, y: plot.maxY - 1 - row)
      }
    }
  }

  /// Draws `.`, `-` and `'` at three heights per row, with `|` at jumps: the plain ASCII tier.
  func renderASCII(into buffer: inout Buffer) {
    var last: Int?
    for (column, value) in columns.enumerated() {
      guard let value, let level = scale.row(value.last, of: scale.plot.height * 3) else {
        last = nil
        continue
      }
      let low = scale.row(value.low, of: scale.plot.height * 3) ?? level
      let high = scale.row(value.high, of: scale.plot.height * 3) ?? level
      let from = min(high, last ?? level, level) / 3
      let to = max(low, last ?? level, level) / 3
      for row in from...to where row != level / 3 { put("|", column, row, into: &buffer) }
      put([("'" as Unicode.Scalar), "-", "."][level % 3], column, level / 3, into: &buffer)
      last = level
    }
  }

  private func put(_ sign: Unicode.Scalar, _ column: Int, _ row: Int, into buffer: inout Buffer) {
    guard row >= 0, row < scale.plot.height, column < scale.plot.width else { return }
    buffer.put(Cell(base: sign, style: look[row, column]), x: scale.plot.x + column, y: scale.plot.y + row)
  }
}
