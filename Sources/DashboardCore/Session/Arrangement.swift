package import Platform

/// The state of a screen as requested on the command line.
package struct Arrangement: Sendable {
  /// Position of the playhead; `nil` for the live end.
  package var moment: Timestamp?
  /// The metric shown, as `bucket.name` or `bucket.name.field`; `nil` for the most informative one.
  package var metric: String?
  /// Length of the range shown, in seconds; `nil` for all of it.
  package var length: Double?
  /// Start of the history's window; `nil` for a window around the moment.
  package var start: Timestamp?
  /// True if the value axis of charts is logarithmic.
  package var isLogarithmic = false
  /// The metrics whose curves are pinned, as `bucket.name` or `bucket.name.field`.
  package var pins: [String] = []
  /// The filter of the rows; `nil` for no filter.
  package var filter: String?
  /// The sort order, as typed after `:sort`; `nil` for the default.
  package var sort: String?
  /// The request that opens the screen; `nil` where the name of the screen is enough.
  package var request: ScreenRequest?
  /// Options specific to the screen, which alone can read them; `nil` for the defaults.
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
