import Foundation

/// How long the signal of the cellular network had how many bars.
///
/// The counts of this histogram are percents of time and sum to about a hundred; they are no numbers of samples.
public struct CellularHistogram: Hashable, Sendable {
  static let symbol = "bars"

  /// A number of bars.
  public struct Bin: Hashable, Sendable {
    /// How many bars.
    public let bars: Double
    /// The upper bound as written; the same number of bars as far as is known.
    public let upTo: Double
    /// The percent of the time.
    public let percent: Int

    /// A bin as it is written; the upper bound is the lower one unless it is given.
    public init(bars: Double, upTo: Double? = nil, percent: Int) {
      (self.bars, self.upTo, self.percent) = (bars, upTo ?? bars, percent)
    }
  }

  /// The bins by their bars.
  public let bins: [Bin]

  /// A histogram of bins in whatever order.
  public init(_ bins: some Sequence<Bin>) {
    self.bins = bins.sorted { ($0.bars, $0.upTo, $0.percent) < ($1.bars, $1.upTo, $1.percent) }
  }

  /// The mean number of bars, weighted by time; nil if there is no time.
  public var averageBars: Double? {
    let sum = bins.reduce(0.0) { $0 + Double($1.percent) }
    guard sum > 0 else { return nil }
    return bins.reduce(0.0) { $0 + ($1.bars + $1.upTo) / 2 * Double($1.percent) } / sum
  }
}
