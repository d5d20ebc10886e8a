package import Aggregation
import Codecs
import Essentials
package import TerminalUI

/// The value axis of a chart: its range and scale.
package struct ValueAxis: Hashable, Sendable {
  package var range: ClosedRange<Double>
  /// True if equal distances are equal factors.
  package var isLogarithmic = false

  package static let share = ValueAxis(range: 0...1)

  /// The position of a value; on a logarithmic axis, values up to 0 are at its foot.
  package func place(_ value: Double) -> Double {
    guard isLogarithmic else { return value }
    return value.isFinite ? log10(max(range.lowerBound, value)) : value
  }

  /// The height of a value, from 0 to 1.
  package func share(_ value: Double) -> Double {
    // Halves keep the distance of two huge values finite.
    let (low, high) = (places.lowerBound / 2, places.upperBound / 2)
    return high > low ? (place(value) / 2 - low) / (high - low) : 0
  }

  /// The start and end of the axis, as positions.
  package var places: ClosedRange<Double> { place(range.lowerBound)...place(range.upperBound) }

  /// True if a value is within the axis.
  package func shows(_ value: Double) -> Bool { range.contains(value) }

  /// A description of the axis after a logarithmic one was requested.
  package func words(of extent: ValueExtent, isShare: Bool) -> String {
    if isShare { return "shares stay linear" }
    if !isLogarithmic { return "linear: nothing above 0" }
    return extent.hasNonPositive ? "log (L), 0 and less at its foot" : "log (L)"
  }

  /// Round values with their labels, as many as fit.
  ///
  /// - Parameters:
  ///   - rows: rows of the plot.
  ///   - width: maximum columns of a label.
  ///   - text: formats a value in a number of columns.
  package func ticks(rows: Int, width: Int, _ text: (Double, Int) -> String) -> [Chart.Tick] {
    let limit = rows >= 8 ? max(4, min(11, rows / 4)) : rows >= 4 ? 3 : 2
    guard !isLogarithmic else {
      return LogScale.ticks(range, limit: max(limit, min(9, rows / 2))).map {
        Chart.Tick(place($0), text($0, width).withoutZeros)
      }
    }
    var ticks = NiceScale.ticks(range, limit: limit)
    if ticks.count > limit + 1 { ticks = [range.lowerBound, range.upperBound] }
    return Chart.Tick.ticks(ticks, width: width, text)
  }
}

/// The minimum and maximum of the values that a chart shows.
package struct ValueExtent: Hashable, Sendable {
  private(set) var low = Double.infinity
  private(set) var high = -Double.infinity
  private var leastPositive = Double.infinity
  /// The minimum and maximum of the columns' middles.
  private var (leastMiddle, mostMiddle) = (Double.infinity, -Double.infinity)

  /// True if a linear axis would flatten the usual values: one column's middle is eight times that of another.
  private var isSteep: Bool {
    low > 0 && high < 1e4 * low && mostMiddle >= 8 * leastMiddle
  }

  /// True if there are no values.
  package var isEmpty: Bool { low > high }
  /// True if some values cannot be shown on a logarithmic axis.
  package var hasNonPositive: Bool { low <= 0 }
  /// True if some values can be shown on a logarithmic axis.
  package var hasPositive: Bool { high > 0 }

  /// Adds the values of a column.
  ///
  /// - Parameter middle: a value between them; stands for the smallest positive value if the minimum is not positive.
  package mutating func add(_ least: Double, _ most: Double, middle: Double) {
    low = min(low, least)
    high = max(high, most)
    (leastMiddle, mostMiddle) = (min(leastMiddle, middle), max(mostMiddle, middle))
    let positive = least > 0 ? least : middle > 0 ? middle : most
    if positive > 0 { leastPositive = min(leastPositive, positive) }
  }

  package mutating func add(_ other: ValueExtent) {
    low = min(low, other.low)
    high = max(high, other.high)
    leastPositive = min(leastPositive, other.leastPositive)
    leastMiddle = min(leastMiddle, other.leastMiddle)
    mostMiddle = max(mostMiddle, other.mostMiddle)
  }

  /// Includes a limit if it is not far above the values.
  package mutating func reach(_ limit: Double?) {
    if let limit, limit > high, limit < 2 * high { high = limit }
  }

  /// An axis between round numbers; linear if no value is positive; `nil` without values.
  ///
  /// A linear axis starts at 0 unless all values are far from it.
  ///
  /// - Parameter isLogarithmic: the user's choice; `nil` to decide by the values.
  package func axis(isLogarithmic: Bool?) -> ValueAxis? {
    guard !isEmpty else { return nil }
    if isLogarithmic ?? isSteep, hasPositive {
      return ValueAxis(
        range: LogScale.range(min(leastPositive, high)...high), isLogarithmic: true)
    }
    let foot = low > 0 && low < high * 0.6 ? 0 : low
    return ValueAxis(range: NiceScale.range(foot...high, ticks: 4).range)
  }

  package init() {}
}

extension Chart.Band {
  /// The bands of the middle 50% and 90% of the values, by time range in seconds.
  package static func pair(_ spreads: [(time: Range<Double>, spread: ValueSpread)], on axis: ValueAxis)
    -> [Chart
    .Band]
  {
    func points(_ low: KeyPath<ValueSpread, Double>, _ high: KeyPath<ValueSpread, Double>) -> [Chart
      .BandPoint]
    {
      spreads.map { time, spread in
        Chart.BandPoint(
          x: time, low: axis.place(spread[keyPath: low]), high: axis.place(spread[keyPath: high]))
      }
    }
    return [
      Chart.Band(points(\.p25, \.p75), isWide: false), Chart.Band(points(\.p5, \.p95), isWide: true),
    ]
  }
}

extension String {
  /// A round figure without zeros behind its decimal point: `2s` for `2.00s`.
  fileprivate var withoutZeros: String {
    guard let point = firstIndex(of: ".") else { return self }
    let end = self[index(after: point)...].firstIndex { $0 != "0" } ?? endIndex
    return end < endIndex && self[end].isNumber ? self : String(self[..<point] + self[end...])
  }
}
