import Essentials

/// Distribution of time over the signal bars of the cellular network.
///
/// The counts of this histogram are percentages of time that sum to about a hundred, not numbers of samples.
public struct CellularHistogram: Hashable, Sendable {
  static let symbol = "bars"

  /// A number of bars.
  public struct Bin: Hashable, Sendable {
    /// Number of bars.
    public let bars: Double
    /// The upper bound as written; the same number of bars in all known payloads.
    public let upTo: Double
    /// Percentage of the time.
    public let percent: Int

    /// A bin as written; the upper bound defaults to the lower one.
    public init(bars: Double, upTo: Double? = nil, percent: Int) {
      (self.bars, self.upTo, self.percent) = (bars, upTo ?? bars, percent)
    }
  }

  /// The bins, ordered by their bars.
  public let bins: [Bin]

  /// A histogram of bins in any order.
  public init(_ bins: some Sequence<Bin>) {
    self.bins = bins.sorted { ($0.bars, $0.upTo, $0.percent) < ($1.bars, $1.upTo, $1.percent) }
  }

  /// The mean number of bars, weighted by time; `nil` if there is no time.
  public var averageBars: Double? {
    let sum = bins.reduce(0.0) { $0 + Double($1.percent) }
    guard sum > 0 else { return nil }
    return bins.reduce(0.0) { $0 + ($1.bars + $1.upTo) / 2 * Double($1.percent) } / sum
  }
}

extension CellularHistogram {
  /// A number of bars with its share of the time, over several device-days.
  public struct Share: Hashable, Sendable {
    /// Number of bars.
    public let bars: Double
    /// Its share of the time, from 0 to 1.
    public let share: Double
  }

  /// The shares of time over all device-days, weakest signal first; days count equally, because payloads do not say
  /// how long the network was on.
  public static func shares(of days: some Sequence<CellularHistogram>) -> [Share] {
    var sums: [Double: Double] = [:]
    var count = 0.0
    for day in days {
      let all = day.bins.reduce(0.0) { $0 + Double($1.percent) }
      guard all > 0 else { continue }
      count += 1
      for bin in day.bins { sums[bin.bars / 2 + bin.upTo / 2, default: 0] += Double(bin.percent) / all }
    }
    return sums.sorted { $0.key < $1.key }.map { Share(bars: $0.key, share: $0.value / count) }
  }
}
