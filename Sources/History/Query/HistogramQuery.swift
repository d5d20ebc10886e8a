package import Aggregation
package import Platform

/// A query for a histogram.
package struct HistogramQuery: Hashable, Sendable {
  /// The series whose numbers are wanted by label and time; `nil` for none.
  package var series: SeriesIdentity?
  /// True if the values are texts or bools: each sample is then a 0 with its value as a label, under
  /// ``SampleCube/valueDimension``.
  package var isOfTexts: Bool
  /// The time range that needs more detail than the whole; `nil` for all times.
  package var window: Range<Timestamp>?
  /// The host whose samples are labelled in ``SampleCube/hostDimension``; `nil` for none.
  package var host: String?
  /// True if all recorded payloads are wanted.
  package var wantsPayloads: Bool
  /// The payload whose JSON is wanted as it was read; `nil` for none.
  package var original: OriginalQuery?

  package init(
    series: SeriesIdentity? = nil, isOfTexts: Bool = false, window: Range<Timestamp>? = nil,
    wantsPayloads: Bool = false
  ) {
    (self.series, self.isOfTexts, self.window) = (series, isOfTexts, window)
    self.wantsPayloads = wantsPayloads
  }
}

/// Selects the samples of the focus that the table shows.
package struct SampleFilter: Hashable, Sendable {
  /// From the lower bound up to but not including the upper one; `nil` for all values.
  package var values: Range<Double>?
  /// The value of a sample in each of these fields; ``SampleCube/fileDimension`` is its file, and
  /// ``SampleCube/hostDimension`` its host.
  package var labels: [String: SampleCube.LabelValue]

  package init(values: Range<Double>? = nil, labels: [String: SampleCube.LabelValue] = [:]) {
    (self.values, self.labels) = (values, labels)
  }
}
