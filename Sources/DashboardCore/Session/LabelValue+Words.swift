package import Aggregation

extension SampleCube.LabelValue {
  /// The displayed text.
  package var words: String {
    switch self {
    case .value(let text): text.isEmpty ? "(empty)" : text
    case .missing: "(none)"
    }
  }
}
