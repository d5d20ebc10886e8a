import Foundation
import MisterMetricsCore

/// Metrics and a struct that many tests use.
enum Samples {
  static let app = Bucket("app")
  static let startup = app.doubleMetric("startup_time_ms")
  static let count = app.intMetric("launch_count")
  static let note = Metric<String>(name: "note")

  struct Breakdown: MetricValue, Hashable {
    var totalMs: Double
    var steps: [String]
    var parent: String?
  }

  /// Just as plain Foundation writes an entry in the original package.
  static func foundationLine(_ entry: MetricEntry) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(entry)) + [UInt8(ascii: "\n")]
  }

  /// The line of a number at a time.
  static func line(_ value: Double, at seconds: Double, of metric: Metric<Double> = startup) throws -> String
  {
    let entry = try MetricEntry(
      timestamp: Date(timeIntervalSinceReferenceDate: seconds), metric: metric, encoding: value)
    return String(decoding: try foundationLine(entry), as: UTF8.self)
  }
}
