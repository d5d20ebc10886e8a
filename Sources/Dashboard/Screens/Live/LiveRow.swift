package import Aggregation
import Codecs
import TerminalUI

/// The name of a row; selection and folding go by it, so they outlive every change of order.
package enum RowID: Hashable, Sendable {
  case bucket(String?)
  /// A metric whose values are structs; its fields are rows under it.
  case structure(bucket: String?, name: String, typeName: String)
  case series(SeriesIdentity)

  /// The bucket that the row belongs to.
  var bucket: String? {
    switch self {
    case .bucket(let bucket), .structure(let bucket, _, _): return bucket
    case .series(let identity): return identity.bucket
    }
  }
}

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

extension SeriesIdentity {
  /// The row that this series' fields are under.
  var structure: RowID { .structure(bucket: bucket, name: name, typeName: typeName) }
}
