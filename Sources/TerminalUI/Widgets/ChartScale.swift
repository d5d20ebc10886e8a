/// Maps values to positions of a plot, with distinct results for values outside and for NaN.
struct ChartScale {
  let xRange: ClosedRange<Double>
  let yRange: ClosedRange<Double>
  let plot: Rect

  /// Position along the time axis, from 0 to 1; `nil` outside.
  func xShare(_ value: Double) -> Double? { share(value, xRange, whenEmpty: 1) }

  /// Height from 0 to 1, clamped.
  func yShare(_ value: Double) -> Double? {
    guard value.isFinite else { return nil }
    let clamped = max(yRange.lowerBound, min(yRange.upperBound, value))
    return share(clamped, yRange, whenEmpty: 0)
  }

  private func share(_ value: Double, _ range: ClosedRange<Double>, whenEmpty: Double) -> Double? {
    guard value.isFinite, value >= range.lowerBound, value <= range.upperBound else { return nil }
    // Halves keep the difference of two huge bounds finite.
    let span = range.upperBound / 2 - range.lowerBound / 2
    guard span > 0, span.isFinite else { return whenEmpty }
    return (value / 2 - range.lowerBound / 2) / span
  }

  /// The column of a time, counted from the plot's left; `nil` outside.
  func column(_ value: Double, of columns: Int? = nil) -> Int? {
    let count = columns ?? plot.width
    return xShare(value).map { Int(($0 * Double(max(0, count - 1))).rounded()) }
  }

  /// The columns of a stretch of time, clipped to the plot; adjacent stretches share no column.
  func columns(_ range: Range<Double>, of columns: Int? = nil) -> Range<Int> {
    let count = columns ?? plot.width
    let from = max(range.lowerBound, xRange.lowerBound)
    let to = min(range.upperBound, xRange.upperBound)
    guard count > 0, from <= to, let first = column(from, of: count), let end = column(to, of: count) else {
      return 0..<0
    }
    return first..<max(first + 1, to < range.upperBound || to == xRange.upperBound ? end + 1 : end)
  }

  /// The row of a value, counted from the plot's top, in `rows` steps.
  func row(_ value: Double, of rows: Int? = nil) -> Int? {
    let count = rows ?? plot.height
    return yShare(value).map { Int(((1 - $0) * Double(max(0, count - 1))).rounded()) }
  }

  /// For each column, the last value in it and the range of all its values.
  ///
  /// Columns between two consecutive points are filled along the straight line, so that a curve drawn by columns has
  /// gaps only where the data has.
  func columns(of points: [Chart.Point]) -> [ColumnValue?] {
    var result = [ColumnValue?](repeating: nil, count: plot.width)
    var last: (column: Int, value: Double)?
    for point in points {
      guard let y = point.y, y.isFinite else {
        last = nil
        continue
      }
      guard let column = column(point.x), column < result.count else { continue }
      if let last, column > last.column + 1 {
        for between in last.column + 1..<column {
          let share = Double(between - last.column) / Double(column - last.column)
          result[between] = ColumnValue(last.value * (1 - share) + y * share)
        }
      }
      result[column] = result[column]?.adding(y) ?? ColumnValue(y)
      last = (column, y)
    }
    return result
  }
}

/// One column of a curve.
struct ColumnValue: Hashable {
  var last: Double
  var low: Double
  var high: Double

  init(_ value: Double) {
    (last, low, high) = (value, value, value)
  }

  func adding(_ value: Double) -> ColumnValue {
    var copy = self
    copy.last = value
    copy.low = min(low, value)
    copy.high = max(high, value)
    return copy
  }
}
