package import Aggregation
package import Platform

/// The content of one side of a comparison.
package enum HistogramChoice: Hashable, Sendable {
  /// All samples of the range.
  case everything
  /// Those that have a value in a dimension, such as a version, a file or a text field.
  case label(dimension: String, value: SampleCube.LabelValue)
  /// Those of a stretch of time.
  case window(Range<Timestamp>)
  /// No samples: for a second side that is not wanted.
  case nothing
}

/// A person's choices for a histogram: all that a picture of it depends on, besides files and moment.
package struct HistogramOptions: Hashable, Sendable {
  /// Whose numbers: `bucket.name`, `bucket.name.field`, or the figure of payloads; `nil` for what tells most.
  package var metric: String?
  /// The sides; `nil` for the newest two versions, or whatever else tells most.
  package var a: HistogramChoice?
  package var b: HistogramChoice?
  /// Labels that the samples of both sides have in common.
  package var only: [String: SampleCube.LabelValue] = [:]
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
  /// True if all that payloads tell is shown, instead of one histogram.
  package var isOverview = false

  package init() {}

  /// The percentiles that are shown until others are chosen.
  package static let usualPercentiles = [50.0, 75, 90, 95, 99]
}
