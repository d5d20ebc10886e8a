package import Aggregation

extension SampleCube.LabelValue {
  /// As it stands on a screen.
  package var words: String {
    switch self {
    case .value(let text): text.isEmpty ? "(empty)" : text
    case .missing: "(none)"
    }
  }
}
