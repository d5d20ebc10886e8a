package import Aggregation
import Codecs
package import DashboardCore
import TerminalUI

/// One row of the tree of buckets, or of the flat list that it becomes where room is short.
package struct LiveRow: Hashable, Sendable {
  package enum Fold: Hashable, Sendable {
    case leaf, expanded, collapsed
  }

  package let id: RowID
  package let series: SeriesID?
  /// How far the label stands in.
  let depth: Int
  let label: String
  let fold: Fold
  /// Series under a collapsed row.
  let hidden: Int
  let unit: ValueUnit

  /// Columns that indent, fold sign and label take; of a label without end as many as could ever be shown.
  func nameWidth(_ repertoire: Repertoire) -> Int {
    depth + (fold == .leaf ? 0 : 2) + SafeText.width(of: label.prefixed(64), repertoire: repertoire)
  }
}
