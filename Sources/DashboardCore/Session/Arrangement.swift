package import Platform

/// How a command line wants a screen to be.
package struct Arrangement: Sendable {
  /// Where the playhead stands; `nil` for the live end.
  package var moment: Timestamp?
  /// The metric shown, as `bucket.name` or `bucket.name.field`; `nil` for the one that tells most.
  package var metric: String?
  /// How much time is shown, in seconds; `nil` for all of it.
  package var length: Double?
  /// Where the window of the history begins; `nil` for around the moment.
  package var start: Timestamp?
  /// True if the value axis of charts is logarithmic.
  package var isLogarithmic = false
  /// The metrics whose curves are pinned, as `bucket.name` or `bucket.name.field`.
  package var pins: [String] = []
  /// The filter of the rows; `nil` for all of them.
  package var filter: String?
  /// The sort order, as it is typed after `:sort`; `nil` for the usual.
  package var sort: String?
  /// The request that brings the screen to the front; `nil` where its name does.
  package var request: ScreenRequest?
  /// Options that only this screen knows how to read; `nil` for the usual.
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
