package import Aggregation
import History
package import Platform

/// The samples on one side of a comparison.
package enum HistogramChoice: Hashable, Sendable {
  /// All samples of the range.
  case everything
  /// Samples with a given value in a dimension, such as a version, a file or a text field.
  case label(dimension: String, value: SampleCube.LabelValue)
  /// Samples of a time range.
  case window(Range<Timestamp>)
  /// No samples: the second side where only one is wanted.
  case nothing
}

/// A choice and its name.
package struct NamedChoice: Hashable, Sendable {
  package let name: String
  package let choice: HistogramChoice
}

/// The user's choice of what to compare, in one histogram or in all figures of payloads.
package struct ComparedSides: Hashable, Sendable {
  /// The sides; `nil` for the newest two versions, or whatever else is most informative.
  package var a: HistogramChoice?
  package var b: HistogramChoice?
  /// Labels that the samples of both sides must have.
  package var only: [String: SampleCube.LabelValue] = [:]
  package var range = TimeSpan.all

  package init() {}
}

/// The source of the numbers in a histogram.
package enum HistogramSubject: Hashable, Sendable {
  case series(SeriesIdentity)
  /// A payload histogram, by the name of its figure.
  case payload(String)

  package init(_ series: SeriesIdentity) {
    self =
      series.bucket == PayloadArchive.bucket && series.typeName == "PayloadHistogram"
      ? .payload(series.name) : .series(series)
  }

  /// The name by which it is requested.
  package var name: String {
    switch self {
    case .series(let series): series.fullName
    case .payload(let figure): figure
    }
  }
}
