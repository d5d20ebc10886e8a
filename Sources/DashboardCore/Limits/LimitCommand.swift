/// The shell command that runs when an excess begins: the user's text with its subject.
package struct LimitCommand: Hashable, Sendable {
  /// The command, for the shell.
  package let text: String
  /// The metric's `bucket.name`.
  package let metric: String
  /// The figure beyond the limit.
  package let value: Double
  /// The limit's bound.
  package let limit: Double
  /// The screen's text for it.
  package let words: String

  /// The variables in the command's environment.
  package var variables: [(name: String, value: String)] {
    // The name comes from the file: a NUL character must not truncate it.
    [
      ("MISTERTOP_METRIC", metric.filter { $0 != "\0" }), ("MISTERTOP_VALUE", "\(value)"),
      ("MISTERTOP_LIMIT", "\(limit)"), ("MISTERTOP_TEXT", words),
    ]
  }
}
