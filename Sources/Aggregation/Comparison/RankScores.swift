import Essentials

/// The scores of the samples of two sides by their rank among the samples of both.
///
/// Ranks rather than values, so that a single launch of twenty minutes counts no more than any other longest one.
package struct RankScores: Sendable {
  /// One score per statistic.
  ///
  /// The first detects a change of the middle: the rank itself, clipped at the two outer fifths (winsorised Wilcoxon
  /// scores), so that no tail can cause it. The others detect a change of the tail: zero up to some rank, then the
  /// logarithm of the fraction of samples above (Savage scores). There are three ranks because a tail may begin anywhere.
  package typealias Scores = SIMD4<Double>

  static let middle = 0
  private static let tails = [0.8, 0.88, 0.94]
  /// A tail shows in few samples, the middle in all, so most of the error budget goes to the tails.
  static let weights = Scores(1, 1.15, 1.15, 1.15)

  /// The intervals in which samples of either side lie, in ascending order.
  private let intervals: [Interval]
  private let all: Double
  /// Mean score of all samples.
  private let mean: Scores
  /// Variance of the difference of the sides' mean scores, if samples are independent.
  let variance: Scores

  private struct Interval {
    var middle: Double
    var first: Double
    var second: Double
    /// Number of samples in all preceding intervals.
    var below = 0.0
    var scores = Scores.zero

    var size: Double { first + second }
  }

  init(first: [HistogramBin], second: [HistogramBin]) {
    var intervals: [Interval] = []
    func take(_ bins: [HistogramBin], isFirst: Bool) {
      for bin in bins where bin.count > 0 {
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
      joined[index].below = below
      joined[index].scores = Self.scores(rank: (below + joined[index].size / 2) / all)
      below += joined[index].size
    }
    (intervals, self.all) = (joined, all)
    mean = joined.reduce(Scores.zero) { $0 + $1.scores * ($1.size / all) }
    variance = Self.varianceOfMean(joined, \.first) + Self.varianceOfMean(joined, \.second)
  }

  /// The variance of the mean score of one side.
  private static func varianceOfMean(_ intervals: [Interval], _ size: (Interval) -> Double) -> Scores {
    let count = max(1, intervals.reduce(0) { $0 + size($1) })
    let mean = intervals.reduce(Scores.zero) { $0 + $1.scores * size($1) } / count
    let squares = intervals.reduce(Scores.zero) {
      $0 + ($1.scores - mean) * ($1.scores - mean) * size($1)
    }
    return squares / (count * count)
  }

  private static func place(of bin: HistogramBin) -> Double { bin.lower / 2 + bin.upper / 2 }

  /// - Parameter rank: from 0 to 1.
  private static func scores(rank: Double) -> Scores {
    var scores = Scores.zero
    scores[middle] = max(0.2, min(0.8, rank))
    for (place, start) in tails.enumerated() where rank > start {
      scores[place + 1] = log((1 - start) / (1 - rank))
    }
    return scores
  }

  /// The scores of samples between two values, taken at the middle of their ranks.
  ///
  /// - Parameter bin: a bin of any grid.
  func scores(of bin: HistogramBin) -> Scores {
    let first = index(of: bin.lower)
    var last = first
    // Bins of the same kind as the intervals cover one or two of them.
    while last + 1 < intervals.count, intervals[last + 1].middle <= bin.upper { last += 1 }
    if first == last { return intervals.indices.contains(first) ? intervals[first].scores : .zero }
    let (low, high) = (intervals[first].below, intervals[last].below + intervals[last].size)
    return Self.scores(rank: min(1 - 0.5 / max(1, all), (low + high) / 2 / all))
  }

  /// The samples as units for permutations, in a bounded number of classes: 48 up to the third quartile, 64 above.
  ///
  /// Neighbours in rank share a class and the mean of their scores; bins are not distinguished any further.
  var classesOfSamples: [PermutationTest.Class] {
    var classes: [PermutationTest.Class] = []
    var (gathered, sums, second) = (0.0, Scores.zero, 0.0)
    for (index, interval) in intervals.enumerated() {
      sums += interval.scores * interval.size
      gathered += interval.size
      second += interval.second
      let rank = (interval.below + interval.size / 2) / all
      let limit = all / (rank < 0.75 ? 64 : 256)
      let next = index + 1 < intervals.count ? intervals[index + 1].size : .infinity
      guard gathered + next / 2 > limit else { continue }
      classes.append(.init(size: gathered, inSecond: second, scores: sums / gathered))
      (gathered, sums, second) = (0, .zero, 0)
    }
    return classes
  }

  /// The total score of the samples of some bins, minus the average score of as many, and their number.
  ///
  /// The bins must be those from which the scores were made.
  func centredSum(of bins: [HistogramBin]) -> (sum: Scores, count: Double) {
    var (sum, count) = (Scores.zero, 0.0)
    for bin in bins where bin.count > 0 {
      let size = Double(bin.count)
      sum += (intervals[index(of: Self.place(of: bin))].scores - mean) * size
      count += size
    }
    return (sum, count)
  }

  /// The first interval that does not lie before a value, or the last one.
  private func index(of place: Double) -> Int {
    var (low, high) = (0, max(0, intervals.count - 1))
    while low < high {
      let middle = (low + high) / 2
      if intervals[middle].middle < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
