package import Aggregation
import History
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

/// A choice and what it is called.
package struct NamedChoice: Hashable, Sendable {
  package let name: String
  package let choice: HistogramChoice
}

/// A person's choice of what is compared, of a histogram or of all figures of payloads.
package struct ComparedSides: Hashable, Sendable {
  /// The sides; `nil` for the newest two versions, or whatever else tells most.
  package var a: HistogramChoice?
  package var b: HistogramChoice?
  /// Labels that the samples of both sides have in common.
  package var only: [String: SampleCube.LabelValue] = [:]
  package var range = TimeSpan.all

  package init() {}
}

/// Whose numbers a histogram shows.
package enum HistogramSubject: Hashable, Sendable {
  case series(SeriesIdentity)
  /// A histogram of payloads, by the name of its figure.
  case payload(String)

  package init(_ series: SeriesIdentity) {
    self =
      series.bucket == PayloadArchive.bucket && series.typeName == "PayloadHistogram"
      ? .payload(series.name) : .series(series)
  }

  /// As it is asked for.
  package var name: String {
    switch self {
    case .series(let series): series.fullName
    case .payload(let figure): figure
    }
  }
}
