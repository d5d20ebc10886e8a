package import Platform

/// How a command line wants a screen to be.
package struct Arrangement: Sendable {
  /// Where the playhead stands; `nil` for the live end.
  package var moment: Timestamp?
  /// What is shown, as `bucket.name` or `bucket.name.field`; `nil` for what tells most.
  package var metric: String?
  /// How much time is shown, in seconds; `nil` for all of it.
  package var length: Double?
  /// Where the window of the history begins; `nil` for around the moment.
  package var start: Timestamp?
  /// Whether the value axis of charts is logarithmic.
  package var isLogarithmic = false
  /// The metrics whose curves are pinned, as `bucket.name` or `bucket.name.field`.
  package var pins: [String] = []
  /// What the rows are filtered by; `nil` for all of them.
  package var filter: String?
  /// What they are sorted by, as it is typed after `:sort`; `nil` for the usual.
  package var sort: String?
  /// What only this screen knows how to read; `nil` for the usual.
  package var options: (any Sendable)?

  package init(
    moment: Timestamp? = nil, metric: String? = nil, length: Double? = nil, options: (any Sendable)? = nil
  ) {
    self.moment = moment
    self.metric = metric
    self.length = length
    self.options = options
  }
}
