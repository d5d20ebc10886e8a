/// The bins of a histogram by rank.
///
/// The sample at a rank is bounded below by the value at that rank if every sample were at the start of its bin, and
/// above by the value if every sample were at the end. If bins do not overlap, the bounds are its bin.
package struct HistogramRanks: Sendable {
  /// Cumulative number of samples at an edge.
  private struct Step: Sendable {
    let edge: Double
    let upTo: Double
  }

  private let bins: [HistogramBin]
  private let starts: [Step]
  private let ends: [Step]

  /// - Parameter bins: in order of their lower bounds; they may overlap.
  package init(_ bins: [HistogramBin]) {
    self.bins = bins
    starts = Self.steps(bins.map { ($0.lower, $0.count) })
    ends = Self.steps(bins.map { ($0.upper, $0.count) }.sorted { $0.0 < $1.0 })
  }

  private static func steps(_ edges: [(Double, Int)]) -> [Step] {
    var upTo = 0.0
    return edges.map { edge, count in
      upTo += Double(count)
      return Step(edge: edge, upTo: upTo)
    }
  }

  private var count: Double { starts.last?.upTo ?? 0 }

  /// Index of the first step that reaches a rank.
  private static func place(of rank: Double, in steps: [Step]) -> Int {
    var (low, high) = (0, max(0, steps.count - 1))
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].upTo < rank { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The value at a percentile, interpolated within its bin, with its bounds; requires at least one sample.
  package func quantile(ofPercentile percentile: Double) -> Quantile {
    let rank = percentile * count / 100
    let place = Self.place(of: rank, in: starts)
    guard place < bins.count else { return Quantile(exact: 0) }
    let bin = bins[place]
    let (lower, upper) = (starts[place].edge, ends[Self.place(of: rank, in: ends)].edge)
    let size = Double(bin.count)
    let share = max(0, min(1, (rank - (starts[place].upTo - size)) / size))
    let inside = bin.lower * (1 - share) + bin.upper * share
    return Quantile(value: max(lower, min(upper, inside)), lower: lower, upper: upper)
  }

  /// The 95 % confidence interval of a percentile of the population, within the range of the samples.
  ///
  /// The number of samples below it is binomial, with mean n·q and deviation √(n·q·(1-q)).
  package func likelyRange(ofPercentile percentile: Double) -> ClosedRange<Double> {
    guard !bins.isEmpty else { return 0...0 }
    let q = percentile / 100
    let spread = 1.96 * (count * q * (1 - q)).squareRoot()
    let first = max(1, (count * q - spread).rounded(.down))
    let last = min(count, (count * q + spread).rounded(.up) + 1)
    let lower = starts[Self.place(of: first, in: starts)].edge
    return lower...max(lower, ends[Self.place(of: last, in: ends)].edge)
  }
}
