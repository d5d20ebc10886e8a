/// The median of a few values; 0 if there are none.
///
/// Uses an insertion sort on a copy, the fastest way for up to 40 values.
///
/// - Parameter last: the number of values at the end to leave out.
func median(of values: [Float], leavingOut last: Int = 0) -> Float {
  quantiles(of: values, leavingOut: last).median
}

/// The median and the quartiles of a few values; zeros if there are none.
func quantiles(of values: [Float], leavingOut last: Int = 0) -> (lower: Float, median: Float, upper: Float) {
  quantiles(count: values.count - max(0, last)) { values[$0] }
}

/// The median and the quartiles of `count` values that a closure provides; zeros if there are none.
@inline(__always)
func quantiles(count: Int, _ value: (Int) -> Float) -> (lower: Float, median: Float, upper: Float) {
  guard count > 0 else { return (0, 0, 0) }
  return withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { sorted in
    for index in 0..<count {
      let value = value(index)
      var place = index
      while place > 0, sorted[place - 1] > value {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = value
    }
    let (half, quarter) = (count / 2, count / 4)
    let median = count % 2 == 0 ? sorted[half - 1] / 2 + sorted[half] / 2 : sorted[half]
    return (sorted[quarter], median, sorted[count - 1 - quarter])
  }
}
