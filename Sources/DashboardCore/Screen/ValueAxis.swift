package import Aggregation
import Codecs
import Essentials
package import TerminalUI

/// The value axis of a chart: which values it shows, and where each stands on it.
package struct ValueAxis: Hashable, Sendable {
  package var range: ClosedRange<Double>
  /// True if equal distances are equal factors.
  package var isLogarithmic = false

  package static let share = ValueAxis(range: 0...1)

  /// Where a value stands; on a logarithmic axis what is not above 0 stands at its foot.
  package func place(_ value: Double) -> Double {
    guard isLogarithmic else { return value }
    return value.isFinite ? log10(max(range.lowerBound, value)) : value
  }

  /// How far up a value stands, from 0 to 1.
  package func share(_ value: Double) -> Double {
    // Halves keep the distance of two huge values finite.
    let (low, high) = (places.lowerBound / 2, places.upperBound / 2)
    return high > low ? (place(value) / 2 - low) / (high - low) : 0
  }

  /// Where the axis begins and ends, in the measure of `place`.
  package var places: ClosedRange<Double> { place(range.lowerBound)...place(range.upperBound) }

  /// True if a level lies on the axis.
  package func shows(_ value: Double) -> Bool { range.contains(value) }

  /// Words for the axis where a logarithmic one is requested.
  package func words(of extent: ValueExtent, isShare: Bool) -> String {
    if isShare { return "shares stay linear" }
    if !isLogarithmic { return "linear: nothing above 0" }
    return extent.hasNonPositive ? "log (L), 0 and less at its foot" : "log (L)"
  }

  /// The round values with their labels, as many as there is room for.
  ///
  /// - Parameters:
  ///   - rows: rows of the plot.
  ///   - width: columns of a label at most.
  ///   - text: a value in so many columns.
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

/// The least and the largest of the values that a chart shows.
package struct ValueExtent: Hashable, Sendable {
  private(set) var low = Double.infinity
  private(set) var high = -Double.infinity
  private var leastPositive = Double.infinity
  /// The least and the largest of the columns' middles.
  private var (leastMiddle, mostMiddle) = (Double.infinity, -Double.infinity)

  /// True where a linear axis would press the usual values flat: the middle of one column is eight times that of another.
  private var isSteep: Bool {
    low > 0 && high < 1e4 * low && mostMiddle >= 8 * leastMiddle
  }

  /// True if there is no value.
  package var isEmpty: Bool { low > high }
  /// True if some values have no place on a logarithmic axis.
  package var hasNonPositive: Bool { low <= 0 }
  /// True if there is a value that has a place on a logarithmic axis.
  package var hasPositive: Bool { high > 0 }

  /// Takes in the values of a column.
  ///
  /// - Parameter middle: a value between them, which stands for the least above 0 where the least of all is none.
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

  /// Makes room for a limit that lies not far above the values.
  package mutating func reach(_ limit: Double?) {
    if let limit, limit > high, limit < 2 * high { high = limit }
  }

  /// An axis between round numbers; linear where no value is above 0; `nil` without a value.
  ///
  /// A linear axis begins at 0 unless the values are all far from it.
  ///
  /// - Parameter isLogarithmic: what the person chose; `nil` leaves it to the values.
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
  /// The bands of half and of nine tenths of the values, by stretches of time in seconds.
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
  /// A round figure without the zeros behind its point: `2s` for `2.00s`.
  fileprivate var withoutZeros: String {
    guard let point = firstIndex(of: ".") else { return self }
    let end = self[index(after: point)...].firstIndex { $0 != "0" } ?? endIndex
    return end < endIndex && self[end].isNumber ? self : String(self[..<point] + self[end...])
  }
}
