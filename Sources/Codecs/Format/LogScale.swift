import Essentials

/// Round numbers for a logarithmic value axis: 1, 2 and 5 times the powers of ten.
package enum LogScale {
  private static let all = Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude

  /// The smallest range between two round numbers that contains both values.
  ///
  /// - Parameter values: Positive values; others count as the smallest positive number.
  package static func range(_ values: ClosedRange<Double>) -> ClosedRange<Double> {
    var (low, high) = (index(notAbove: values.lowerBound), index(notBelow: values.upperBound))
    if low >= high { (low, high) = (low - 1, high + 1) }
    return number(low)...max(number(low), number(high))
  }

  /// Round numbers in a range, at most `limit`: 1-2-5, powers of ten, or every second, third… of those.
  package static func ticks(_ range: ClosedRange<Double>, limit: Int) -> [Double] {
    guard limit >= 2 else { return [range.upperBound] }
    let (low, high) = (index(notBelow: range.lowerBound), index(notAbove: range.upperBound))
    guard low <= high else { return [range.lowerBound, range.upperBound] }
    if high - low < limit { return (low...high).map(number) }
    let decades = (low + 2).flooredThird...max((low + 2).flooredThird, high.flooredThird)
    for step in [1, 2, 3, 5, 10, 20, 50, 100, 200, 300] where decades.count / step <= limit {
      let powers = decades.filter { $0.isMultiple(of: step) }
      guard powers.count <= limit else { continue }
      return powers.count > 1 ? powers.map { number($0 * 3) } : [range.lowerBound, range.upperBound]
    }
    return [range.lowerBound, range.upperBound]
  }

  /// The round number at an index: …, 1, 2, 5, 10, 20, …, with 1 at index 0.
  private static func number(_ index: Int) -> Double {
    let decade = index.flooredThird
    let digit = [1, 2, 5][index - decade * 3]
    // Parsed from text to avoid intermediate rounding.
    return Double("\(digit)e\(decade)")?.clamped(to: all) ?? 1
  }

  private static func index(notAbove value: Double) -> Int {
    var index = near(value) + 3
    while index > -975, number(index) > value { index -= 1 }
    return index
  }

  private static func index(notBelow value: Double) -> Int {
    var index = near(value) - 1
    while index < 927, number(index) < value { index += 1 }
    return index
  }

  /// The index of the power of ten at or just below a value.
  private static func near(_ value: Double) -> Int {
    guard value >= all.lowerBound else { return -972 }
    return Int(log10(min(value, all.upperBound)).rounded(.down)) * 3
  }
}

extension Int {
  /// A third, rounded down.
  fileprivate var flooredThird: Int { self >= 0 ? self / 3 : -((2 - self) / 3) }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.max(range.lowerBound, Swift.min(range.upperBound, self))
  }
}
