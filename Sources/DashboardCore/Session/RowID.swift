package import Aggregation

/// The identity of a row: selection and folding refer to it, so that they survive every reordering.
package enum RowID: Hashable, Sendable {
  case bucket(String?)
  /// A metric whose values are structs; its fields are rows under it.
  case structure(bucket: String?, name: String, typeName: String)
  case series(SeriesIdentity)
  /// All series without a sample in the window, as one row.
  case idle

  /// The bucket that the row belongs to.
  package var bucket: String? {
    switch self {
    case .bucket(let bucket), .structure(let bucket, _, _): return bucket
    case .series(let identity): return identity.bucket
    case .idle: return nil
    }
  }
}

extension SeriesIdentity {
  /// The row that holds the fields of this series.
  package var structure: RowID { .structure(bucket: bucket, name: name, typeName: typeName) }
}
