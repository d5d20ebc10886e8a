package import DashboardCore

/// The user's choices for a histogram: together with files and moment they define the displayed content.
package struct HistogramOptions: Hashable, Sendable {
  /// The metric: `bucket.name`, `bucket.name.field`, or the figure of payloads; `nil` for the most informative one.
  package var metric: String?
  /// The compared sides.
  package var sides = ComparedSides()
  /// The dimension by which samples are split; `nil` for the default.
  package var group: String?
  /// The arrangement of rows; `nil` for recorded bins where possible, otherwise rows of equal width.
  package var scale: HistogramGrid.Scale?
  /// From 0 to 100, ascending; at least one.
  package var percentiles = Self.usualPercentiles
  /// True if bars beyond the 90th percentile are drawn eight times as long.
  package var hasLens = false
  /// True to hide versions with few samples.
  package var hidesFew = false

  package init() {}

  /// The default percentiles.
  package static let usualPercentiles = [50.0, 75, 90, 95, 99]
}
