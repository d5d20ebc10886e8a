/// The shell command that runs when an excess begins: the person's own words, and their subject.
package struct LimitCommand: Hashable, Sendable {
  /// The command, for the shell.
  package let text: String
  /// The metric's `bucket.name`.
  package let metric: String
  /// The figure that is beyond the limit.
  package let value: Double
  /// The limit's bound.
  package let limit: Double
  /// The screen's words for it.
  package let words: String

  /// The variables in the command's environment.
  package var variables: [(name: String, value: String)] {
    // A name comes out of the file: no character 0 may end it early.
    [
      ("MISTERTOP_METRIC", metric.filter { $0 != "\0" }), ("MISTERTOP_VALUE", "\(value)"),
      ("MISTERTOP_LIMIT", "\(limit)"), ("MISTERTOP_TEXT", words),
    ]
  }
}
