package import Platform

/// A query for the JSON that a payload was read from.
package struct OriginalQuery: Hashable, Sendable {
  /// The source of the payload: `day.json#1f…`.
  package let source: String
  /// The time it was recorded for.
  package let time: Timestamp

  package init(source: String, time: Timestamp) { (self.source, self.time) = (source, time) }
}

/// The answer to an ``OriginalQuery``.
package struct OriginalAnswer: Hashable, Sendable {
  package let query: OriginalQuery
  /// `nil` if the files do not keep it.
  package let json: [UInt8]?

  package init(query: OriginalQuery, json: [UInt8]?) { (self.query, self.json) = (query, json) }
}
