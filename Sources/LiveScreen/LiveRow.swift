package import Aggregation
import Codecs
package import DashboardCore
import TerminalUI

/// One row of the tree of buckets, or of the flat list that replaces it where space is short.
package struct LiveRow: Hashable, Sendable {
  package enum Fold: Hashable, Sendable {
    case leaf, expanded, collapsed
  }

  package let id: RowID
  package let series: SeriesID?
  /// The indentation of the label.
  let depth: Int
  let label: String
  let fold: Fold
  /// Number of series under a collapsed row.
  let hidden: Int
  let unit: ValueUnit

  /// The width of indent, fold sign and label; of an overlong label, only as much as could ever be shown.
  func nameWidth(_ repertoire: Repertoire) -> Int {
    depth + (fold == .leaf ? 0 : 2) + SafeText.width(of: label.prefixed(64), repertoire: repertoire)
  }
}
