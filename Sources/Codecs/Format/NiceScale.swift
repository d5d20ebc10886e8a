/// Round numbers for a value axis.
package enum NiceScale {
  /// The smallest range between two round numbers that contains all values, and the round step between its ticks.
  ///
  /// - Parameter ticks: The approximate number of steps in the range.
  package static func range(_ values: ClosedRange<Double>, ticks: Int) -> (
    range: ClosedRange<Double>, step: Double
  ) {
    let (low, high) = (values.lowerBound, values.upperBound)
    let span = high - low
    guard span.isFinite, high.magnitude < 1e300, low.magnitude < 1e300 else { return (values, 0) }
    guard span > 0 else { return around(low) }
    let step = step(for: span / Double(max(1, ticks)))
    let floor = (low / step).rounded(.down) * step
    let ceiling = (high / step).rounded(.up) * step
    // A span near the resolution of a double has no round numbers in it.
    guard floor < ceiling, ceiling - floor <= span + 2 * step * 1.001 else { return (values, span) }
    return (floor...ceiling, step)
  }

  /// A range around one value, starting at zero if that is near.
  private static func around(_ value: Double) -> (range: ClosedRange<Double>, step: Double) {
    if value == 0 { return (0...1, 0.5) }
    let other = value * 2
    return value > 0 ? (0...other, value) : (other...0, -value)
  }

  private static func step(for rough: Double) -> Double {
    guard rough > 0, rough.isFinite else { return 1 }
    var unit = 1.0
    while unit > rough, unit > 1e-300 { unit /= 10 }
    while unit * 10 <= rough { unit *= 10 }
    let share = rough / unit
    return unit * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10)
  }

  /// The round numbers in a range, at most `limit`.
  package static func ticks(_ range: ClosedRange<Double>, limit: Int) -> [Double] {
    guard limit >= 2 else { return [range.upperBound] }
    let (_, step) = self.range(range, ticks: max(1, limit - 1))
    guard step > 0 else { return [range.lowerBound, range.upperBound] }
    var ticks: [Double] = []
    var number = (range.lowerBound / step).rounded(.up)
    while number * step <= range.upperBound + step / 1e6, ticks.count <= limit {
      ticks.append(number == 0 ? 0 : number * step)
      number += 1
    }
    return ticks
  }
}
