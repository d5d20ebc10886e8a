import Aggregation
import Telemetry

/// All figures of a histogram of one or two sides on one grid; made once when a choice changes, and not for each frame.
struct HistogramFigures: Sendable {
  /// One row of the grid.
  struct Row: Sendable, Equatable {
    let a: HistogramGrid.Count
    let b: HistogramGrid.Count
    /// The share of each side's samples in the row, from 0 to 1.
    let shareA: Double
    let shareB: Double
    /// The share of each side's samples in this row and all below.
    let upToA: Double
    let upToB: Double

    /// By how much A's share is larger, from -1 to 1.
    var difference: Double { shareA - shareB }
  }

  /// A percentile of both sides.
  struct Percentile: Sendable, Equatable {
    let percentile: Double
    let a: Quantile?
    let b: Quantile?
    /// Whether the sides have as many samples as it takes to state it; else its bounds alone are shown.
    let isStatedA: Bool
    let isStatedB: Bool

    /// By what part of B's value A's is larger: 0.19; `nil` where that cannot be said.
    var change: Double? {
      guard let a, let b, isStatedA, isStatedB, b.value > 0 else { return nil }
      let change = a.value / b.value - 1
      return change.isFinite ? change : nil
    }

    /// Whether the bounds leave it open which side is larger.
    var isOpen: Bool {
      guard let a, let b else { return true }
      return a.lower <= b.upper && b.lower <= a.upper
    }
  }

  let grid: HistogramGrid
  let a: HistogramSide
  let b: HistogramSide?
  let rows: [Row]
  let percentiles: [Percentile]
  /// What is concluded of A against B; `nil` without a second side.
  let comparison: VersionComparison?

  /// - Parameter percentiles: which ones, from 0 to 100, ascending.
  init(_ a: HistogramSide, against b: HistogramSide?, on grid: HistogramGrid, percentiles: [Double]) {
    (self.a, self.b, self.grid) = (a, b, grid)
    rows = Self.rows(grid.counts(a.bins), grid.counts(b?.bins ?? []))
    let (ofA, ofB) = (a.quantiles(percentiles), b?.quantiles(percentiles) ?? [])
    let (countA, countB) = (a.count, b?.count ?? 0)
    self.percentiles = percentiles.enumerated().map { place, percentile in
      let needed = TimePercentile.samplesNeeded(forPercentile: percentile)
      return Percentile(
        percentile: percentile, a: ofA.indices.contains(place) ? ofA[place] : nil,
        b: ofB.indices.contains(place) ? ofB[place] : nil, isStatedA: countA >= needed,
        isStatedB: countB >= needed)
    }
    comparison = b.map { VersionComparison($0, with: a) }
  }

  private static func rows(_ a: [HistogramGrid.Count], _ b: [HistogramGrid.Count]) -> [Row] {
    let all = { (counts: [HistogramGrid.Count]) in counts.reduce(0.0) { $0 + Double($1.count) } }
    let (allA, allB) = (all(a), all(b))
    var (upToA, upToB) = (0.0, 0.0)
    return zip(a, b).map { countA, countB in
      upToA += Double(countA.count)
      upToB += Double(countB.count)
      let share = { (count: Double, all: Double) in all > 0 ? count / all : 0 }
      return Row(
        a: countA, b: countB, shareA: share(Double(countA.count), allA),
        shareB: share(Double(countB.count), allB),
        upToA: share(upToA, allA), upToB: share(upToB, allB))
    }
  }
}

extension VersionComparison {
  /// Compares two sides: by device-days where both have them, else by samples.
  init(_ before: HistogramSide, with after: HistogramSide) {
    if case .payloads(let days) = before.evidence, case .payloads(let others) = after.evidence {
      self.init(days: days, with: others)
    } else {
      self.init(TimeHistogram(before), with: TimeHistogram(after))
    }
  }
}
