package import Aggregation
package import Platform

/// Which sample's line is wanted.
package struct LineQuery: Hashable, Sendable {
  package let identity: SeriesIdentity
  package let time: Timestamp
  package let value: SeriesValue
  /// Its place in the list that it was chosen from.
  let selection: Int
}

/// A line of a file as it was written.
package struct RawLine: Hashable, Sendable {
  package let source: String
  /// From 1; `nil` where counting would mean reading much.
  package let line: Int?
  /// Where it begins, in bytes.
  package let offset: UInt64
  package let text: String
}
