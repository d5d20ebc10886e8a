package import DashboardCore

/// A person's choices for a histogram: all that a picture of it depends on, besides files and moment.
package struct HistogramOptions: Hashable, Sendable {
  /// Whose numbers: `bucket.name`, `bucket.name.field`, or the figure of payloads; `nil` for what tells most.
  package var metric: String?
  /// The compared sides.
  package var sides = ComparedSides()
  /// The dimension that samples are split by; `nil` for the first one.
  package var group: String?
  /// How rows are cut; `nil` for what suits: bins as they were recorded, else rows of one width.
  package var scale: HistogramGrid.Scale?
  /// From 0 to 100, ascending; at least one.
  package var percentiles = Self.usualPercentiles
  /// True if bars beyond the 90th percentile are drawn eight times as long.
  package var hasLens = false
  /// True if versions with few samples are left out.
  package var hidesFew = false

  package init() {}

  /// The percentiles that are shown until others are chosen.
  package static let usualPercentiles = [50.0, 75, 90, 95, 99]
}
