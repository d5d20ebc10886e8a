/// The summary of a series in a time window.
package struct SeriesSummary: Sendable, Equatable {
  /// Samples of any kind.
  package var count = 0
  /// Count, mean, spread and extremes of the numbers.
  package var moments = Moments()
  /// The latest number in the window.
  package var last: Double?
  /// Earliest and latest time of a sample in the window, in seconds since 2001; `nil` if there is none.
  package var firstTime: Double?
  package var lastTime: Double?
  /// The requested percentiles, in that order; empty if there are no numbers.
  package var quantiles: [Quantile] = []
  /// True if every sample of the window is available, so that percentiles are nearest ranks, not estimates.
  package var isExact = true
  package var nulls = 0
  package var trues = 0
  package var falses = 0
  /// Texts in descending order of count.
  package var texts: [TextShare] = []
  /// Samples per second over the window.
  package var rate: Double = 0

  package init() {}

  /// The share of true among the bools, 0 to 1; `nil` if there are none.
  package var shareOfTrue: Double? {
    trues + falses > 0 ? Double(trues) / Double(trues + falses) : nil
  }
}

/// One text and its frequency in a window.
package struct TextShare: Sendable, Equatable {
  package let text: String
  package let count: Int
  /// Share of all texts in the window, 0 to 1.
  package let share: Double

  package init(text: String, count: Int, share: Double) {
    self.text = text
    self.count = count
    self.share = share
  }
}

/// The content of one column of a chart.
package struct SeriesColumn: Sendable, Equatable {
  /// Samples of any kind.
  package internal(set) var count = 0
  /// Numbers and bools among them; bools count as 0 and 1.
  package internal(set) var numbers = 0
  package internal(set) var minimum = Double.infinity
  package internal(set) var maximum = -Double.infinity
  /// The latest number.
  package internal(set) var last = 0.0
  /// Earliest and latest time of a sample of the column, in seconds since 2001.
  package internal(set) var firstTime = Double.infinity
  package internal(set) var lastTime = -Double.infinity
  var average = 0.0

  /// The mean of the numbers; `nil` if there are none.
  package var mean: Double? { numbers > 0 ? max(minimum, min(maximum, average)) : nil }
}
