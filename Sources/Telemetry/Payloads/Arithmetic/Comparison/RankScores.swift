import Aggregation
import Foundation

/// The scores that the samples of two groups get by their rank among all of both.
///
/// Ranks and not times, so that one launch of twenty minutes counts no more than any other that is the longest.
struct RankScores {
  /// The statistics, in the order of their scores.
  ///
  /// The first tells whether the middle moved: the rank itself, cut at the two outer fifths (Wilcoxon's scores,
  /// winsorised), so that no tail can make it. The others tell whether the tail did: nothing up to some rank, then the
  /// logarithm of how few samples are above (Savage's scores). Three ranks, since a tail may begin anywhere.
  static let middle = 0
  static let tails = [0.8, 0.88, 0.94]
  static let count = 1 + tails.count
  /// A tail shows in few samples, a middle in all: most of what chance is allowed goes to the tails.
  static let weights = [1] + [Double](repeating: 1.15, count: tails.count)

  /// The intervals in which samples of either group lie, in ascending order.
  private let intervals: [Interval]
  private let all: Double

  private struct Interval {
    var middle: Double
    var first: Double
    var second: Double
    /// The middle of their ranks, from 0 to 1.
    var rank = 0.0

    var size: Double { first + second }
  }

  init(first: TimeHistogram, second: TimeHistogram) {
    var intervals: [Interval] = []
    func take(_ histogram: TimeHistogram, isFirst: Bool) {
      for bin in histogram.intervals {
        let count = Double(bin.count)
        intervals.append(
          Interval(
            middle: RankScores.place(of: bin), first: isFirst ? count : 0, second: isFirst ? 0 : count))
      }
    }
    take(first, isFirst: true)
    take(second, isFirst: false)
    intervals.sort { $0.middle < $1.middle }
    self.init(joining: intervals)
  }

  private init(joining sorted: [Interval]) {
    var joined: [Interval] = []
    for interval in sorted {
      if let last = joined.last, last.middle == interval.middle {
        joined[joined.count - 1].first += interval.first
        joined[joined.count - 1].second += interval.second
      } else {
        joined.append(interval)
      }
    }
    let all = joined.reduce(0) { $0 + $1.size }
    var below = 0.0
    for index in joined.indices {
      joined[index].rank = (below + joined[index].size / 2) / all
      below += joined[index].size
    }
    (intervals, self.all) = (joined, all)
  }

  private static func place(of bin: HistogramBin) -> Double { bin.lower / 2 + bin.upper / 2 }

  private static func scores(rank: Double) -> [Double] {
    [max(0.2, min(0.8, rank))]
      + tails.map { start in
        rank > start ? log((1 - start) / (1 - rank)) : 0
      }
  }

  /// The samples as things to deal out, in a bounded number of classes: 48 up to the third quartile, 64 above.
  ///
  /// Neighbours in rank share a class and the mean of their scores; their bins are not told apart further.
  var classesOfSamples: [PermutationTest.Class] {
    var classes: [PermutationTest.Class] = []
    var (gathered, sums, second) = (0.0, [Double](repeating: 0, count: Self.count), 0.0)
    for (index, interval) in intervals.enumerated() {
      let scores = Self.scores(rank: interval.rank)
      for place in sums.indices { sums[place] += scores[place] * interval.size }
      gathered += interval.size
      second += interval.second
      let limit = all / (interval.rank < 0.75 ? 64 : 256)
      let next = index + 1 < intervals.count ? intervals[index + 1].size : .infinity
      guard gathered + next / 2 > limit else { continue }
      classes.append(.init(size: gathered, inSecond: second, scores: sums.map { $0 / gathered }))
      (gathered, sums, second) = (0, [Double](repeating: 0, count: Self.count), 0)
    }
    return classes
  }

  /// Histograms of either group as things to deal out: each with the sum of its samples' scores, less their mean.
  func classes(first: [TimeHistogram], second: [TimeHistogram]) -> [PermutationTest.Class] {
    let scores = intervals.map { Self.scores(rank: $0.rank) }
    let means = (0..<Self.count).map { place in
      zip(intervals, scores).reduce(0) { $0 + $1.1[place] * ($1.0.size / all) }
    }
    let one = { (histogram: TimeHistogram, inSecond: Double) in
      var sums = [Double](repeating: 0, count: Self.count)
      for bin in histogram.intervals {
        let found = scores[index(of: RankScores.place(of: bin))]
        for place in sums.indices { sums[place] += (found[place] - means[place]) * Double(bin.count) }
      }
      return PermutationTest.Class(size: 1, inSecond: inSecond, scores: sums)
    }
    return first.map { one($0, 0) } + second.map { one($0, 1) }
  }

  /// The interval of a place that some sample has.
  private func index(of place: Double) -> Int {
    var (low, high) = (0, intervals.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].middle < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
