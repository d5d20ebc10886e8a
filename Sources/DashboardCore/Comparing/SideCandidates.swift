package import Aggregation

/// The samples, or payloads, that sides are chosen from.
package protocol SideCandidates {
  /// Dimensions that tell samples apart, each with its values; the most telling first.
  var dimensions: [(name: String, values: [String])] { get }
  /// The dimension that has versions of an app, where there is one.
  var versionDimension: String? { get }
  /// The versions, the newest first; empty where none are known.
  var versions: [String] { get }
  /// True if there is anything of a choice.
  func has(_ choice: SampleCube.Choice) -> Bool
}
