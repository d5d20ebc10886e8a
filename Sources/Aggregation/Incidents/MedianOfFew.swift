/// The middle one of some values, or the mean of the two in the middle; 0 without any.
///
/// Sorts a copy by insertion, which for up to 40 values is faster than any other way.
///
/// - Parameter last: values at the end that do not count.
func median(of values: [Float], leavingOut last: Int = 0) -> Float {
  quantiles(of: values, leavingOut: last).median
}

/// The median and the quartiles of some values; zeros without any.
func quantiles(of values: [Float], leavingOut last: Int = 0) -> (lower: Float, median: Float, upper: Float) {
  quantiles(count: values.count - max(0, last)) { values[$0] }
}

/// The same of so many values.
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
