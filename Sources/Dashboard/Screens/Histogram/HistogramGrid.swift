import Aggregation
import Telemetry

/// The rows of a histogram on the screen: stretches of values, from the lowest to the highest.
///
/// A grid is chosen once and kept, so that no row moves while samples come; what lies beyond its ends is counted in rows
/// of their own.
package struct HistogramGrid: Hashable, Sendable {
  /// How rows are cut.
  package enum Scale: String, Hashable, Sendable, CaseIterable {
    /// Rows of one width.
    case linear
    /// Rows that are each a number of times as wide as the one before.
    case logarithmic
    /// The bins that were recorded.
    case recorded
  }

  /// A row's values: from its lower bound on, up to but without its upper one.
  struct Row: Hashable, Sendable {
    let lower: Double
    let upper: Double

    /// Whether it has what lies below or above all other rows.
    var isOpen: Bool { lower == -.infinity || upper == .infinity }
  }

  /// How many samples a row has.
  struct Count: Hashable, Sendable {
    var count = 0
    /// How many of them, or of a neighbour's, lie in bins that reach over an edge of the row.
    var uncertain = 0
  }

  let scale: Scale
  let rows: [Row]

  init(scale: Scale, rows: [Row]) {
    (self.scale, self.rows) = (scale, rows)
  }

  /// The counts of bins by row; a bin that reaches over an edge counts where its middle is.
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
}
