import Aggregation
import Codecs
import TelemetryCore

/// All figures of a histogram of one or two sides on one grid; computed once per choice, not per frame.
struct HistogramFigures: Sendable {
  /// One row of the grid.
  struct Row: Sendable, Equatable {
    let a: HistogramGrid.Count
    let b: HistogramGrid.Count
    /// The share of each side's samples in the row, from 0 to 1.
    let shareA: Double
    let shareB: Double
    /// The share of each side's samples in this row and all rows below.
    let upToA: Double
    let upToB: Double

    /// The amount by which A's share is larger, from -1 to 1.
    var difference: Double { shareA - shareB }
  }

  /// A percentile of both sides.
  struct Percentile: Sendable, Equatable {
    let percentile: Double
    let a: Quantile?
    let b: Quantile?
    /// True if each side has enough samples to state the percentile; otherwise only its bounds are shown.
    let isStatedA: Bool
    let isStatedB: Bool
    /// The 95 % confidence interval of the percentile; `nil` without a sample.
    let spreadA: ClosedRange<Double>?
    let spreadB: ClosedRange<Double>?

    /// True if the change is part of the finding and not within bounds and chance.
    ///
    /// A percentile that the sentence names as moved always counts as found.
    let isFound: Bool
  }

  let grid: HistogramGrid
  let a: HistogramSide
  let b: HistogramSide?
  let rows: [Row]
  let percentiles: [Percentile]
  /// The verdict on A against B; `nil` without a second side.
  let comparison: SideComparison?
  /// The basis of that verdict.
  let ground: ComparisonGround

  /// - Parameters:
  ///   - percentiles: The percentiles, from 0 to 100, ascending.
  ///   - ground: The basis of the comparison.
  ///   - comparison: The known result; `nil` to compare the numbers of both sides.
  init(
    _ a: HistogramSide, against b: HistogramSide?, on grid: HistogramGrid, percentiles: [Double],
    ground: ComparisonGround = .samples, comparison known: SideComparison? = nil
  ) {
    let comparison = known ?? b.map { SideComparison($0, with: a, on: ground) }
    let inflation = comparison?.inflation ?? 1
    let (a, b) = (a.inflated(by: inflation), b?.inflated(by: inflation))
    (self.a, self.b, self.grid, self.ground) = (a, b, grid, ground)
    rows = Self.rows(grid.counts(a.bins), grid.counts(b?.bins ?? []))
    let (ofA, ofB) = (a.quantiles(percentiles), b?.quantiles(percentiles) ?? [])
    let (countA, countB) = (a.count, b?.count ?? 0)
    self.comparison = comparison
    self.percentiles = percentiles.enumerated().map { place, percentile in
      let needed = TimePercentile.samplesNeeded(forPercentile: percentile)
      let mine = ofA.indices.contains(place) ? ofA[place] : nil
      let other = ofB.indices.contains(place) ? ofB[place] : nil
      let spreads = (a: a.spread(ofPercentile: percentile), b: b?.spread(ofPercentile: percentile))
      return Percentile(
        percentile: percentile, a: mine, b: other, isStatedA: countA >= needed, isStatedB: countB >= needed,
        spreadA: spreads.a, spreadB: spreads.b,
        isFound: comparison?.verdict.hasFound(percentile, mine, other, spreads.a, spreads.b) ?? false)
    }
  }

  /// True if a percentile of either side comes from a bin wider than the displayed precision.
  func hasEstimates(in unit: ValueUnit) -> Bool {
    percentiles.contains { found in
      [found.a, found.b].contains { $0.map { !unit.estimateMark(of: $0).isEmpty } ?? false }
    }
  }

  /// True if the shares of a row differ significantly (95 %), in a comparison that found a difference.
  func isDifferent(row: Int) -> Bool {
    guard let b, a.count > 0, b.count > 0, comparison?.verdict.isDifference ?? false else { return false }
    let (countA, countB) = (Double(a.count), Double(b.count))
    let both = (rows[row].shareA * countA + rows[row].shareB * countB) / (countA + countB)
    let error = (both * (1 - both) * (1 / countA + 1 / countB)).squareRoot()
    return rows[row].difference.magnitude > 1.96 * error * a.inflation
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

extension ComparisonVerdict {
  /// True if a change of a percentile is part of the finding.
  fileprivate func hasFound(
    _ percentile: Double, _ a: Quantile?, _ b: Quantile?, _ spreadA: ClosedRange<Double>?,
    _ spreadB: ClosedRange<Double>?
  ) -> Bool {
    guard let a, let b, let spreadA, let spreadB, a.value != b.value,
      moves(percentile: percentile, isHigher: a.value > b.value)
    else { return false }
    let isNamed = percentile == 50 && middle != nil || percentile == 95 && tail != nil
    return isNamed || !spreadA.overlaps(spreadB)
  }
}
