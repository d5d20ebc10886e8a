import Aggregation
import TelemetryCore

/// The rows of a histogram on the screen: ranges of values, from the lowest to the highest.
///
/// A grid is chosen once and kept, so that no row moves while samples arrive; samples beyond its ends are counted in
/// rows of their own.
package struct HistogramGrid: Hashable, Sendable {
  /// The arrangement of rows.
  package enum Scale: String, Hashable, Sendable, CaseIterable {
    /// Rows of equal width.
    case linear
    /// Rows whose widths grow by a factor.
    case logarithmic
    /// The recorded bins.
    case recorded
  }

  /// The range of a row, from its lower bound up to but excluding its upper bound.
  struct Row: Hashable, Sendable {
    let lower: Double
    let upper: Double

    /// True if it holds everything below or above all other rows.
    var isOpen: Bool { lower == -.infinity || upper == .infinity }
  }

  /// The number of samples in a row.
  struct Count: Hashable, Sendable {
    var count = 0
    /// The number of them, or of a neighbour's, that lie in bins across an edge of the row.
    var uncertain = 0
  }

  let scale: Scale
  let rows: [Row]

  init(scale: Scale, rows: [Row]) {
    (self.scale, self.rows) = (scale, rows)
  }

  /// The counts of bins by row; a bin across an edge counts where its middle is.
  func counts(_ bins: [HistogramBin]) -> [Count] {
    var counts = [Count](repeating: Count(), count: rows.count)
    guard !rows.isEmpty else { return counts }
    var row = 0
    for bin in bins {
      while row < rows.count - 1, bin.middle >= rows[row].upper { row += 1 }
      while row > 0, bin.middle < rows[row].lower { row -= 1 }
      counts[row].count = counts[row].count.addingSaturated(bin.count)
      if bin.lower < rows[row].lower, row > 0 {
        counts[row].uncertain = counts[row].uncertain.addingSaturated(bin.count)
        counts[row - 1].uncertain = counts[row - 1].uncertain.addingSaturated(bin.count)
      }
      if bin.upper > rows[row].upper, row < rows.count - 1 {
        counts[row].uncertain = counts[row].uncertain.addingSaturated(bin.count)
        counts[row + 1].uncertain = counts[row + 1].uncertain.addingSaturated(bin.count)
      }
    }
    return counts
  }

  /// The counts of bins by row; a bin wider than a row is spread evenly over the rows it covers.
  ///
  /// - Returns: The counts, and true if there was such a bin, so that they are estimates.
  func spread(_ bins: [HistogramBin]) -> (counts: [Int], isGuess: Bool) {
    var narrow: [HistogramBin] = []
    var spread = [Int](repeating: 0, count: rows.count)
    for bin in bins {
      let reached = rows.indices.filter { rows[$0].lower < bin.upper && rows[$0].upper > bin.lower }
      let width = bin.upper - bin.lower
      guard reached.contains(where: { rows[$0].upper - rows[$0].lower < width }) else {
        narrow.append(bin)
        continue
      }
      var given = 0
      for row in reached {
        let part = (min(rows[row].upper, bin.upper) - bin.lower) / width
        let share = (Double(bin.count) * part).rounded()
        let upTo = row == reached.last || share >= Double(bin.count) ? bin.count : Int(share)
        spread[row] = spread[row].addingSaturated(upTo - given)
        given = upTo
      }
    }
    let counts = zip(counts(narrow), spread).map { $0.count.addingSaturated($1) }
    return (counts, narrow.count < bins.count)
  }
}
