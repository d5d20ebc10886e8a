import Aggregation
import JSONLines
package import Platform

/// Which samples a command reads.
package struct SampleSelection: Sendable, Equatable {
  /// From this time to that one, both included.
  package var since = Timestamp.distantPast
  package var until = Timestamp.distantFuture
  /// Only metrics of this bucket; empty for those without one.
  package var bucket: String?
  /// Only metrics of this name.
  package var metric: String?

  package init() {}

  /// All times that count.
  var window: Range<Timestamp> { since..<max(since, until.nextUp) }

  var limitsTime: Bool { since > .distantPast || until < .distantFuture }

  func admits(_ identity: MetricIdentity) -> Bool { admits(bucket: identity.bucket, name: identity.name) }

  func admits(_ series: SeriesIdentity) -> Bool { admits(bucket: series.bucket, name: series.name) }

  private func admits(bucket: String?, name: String) -> Bool {
    if let wanted = self.bucket, wanted != bucket ?? "" { return false }
    return metric == nil || metric == name
  }
}

// MARK: Command line

extension SampleSelection {
  private static let sinceOption = CommandOption(
    "since", "TIME", help: "only samples from this time on: ISO 8601, or an age such as 15m or 2d")
  private static let untilOption = CommandOption("until", "TIME", help: "only samples up to this time")
  private static let bucketOption = CommandOption("bucket", "NAME", help: "only metrics of this bucket")
  private static let metricOption = CommandOption("metric", "NAME", help: "only metrics of this name")

  static let options = [sinceOption, untilOption, bucketOption, metricOption]

  init(_ arguments: Arguments) throws(UsageError) {
    since = try arguments.time(Self.sinceOption) ?? .distantPast
    until = try arguments.time(Self.untilOption) ?? .distantFuture
    bucket = arguments.value(Self.bucketOption)
    metric = arguments.value(Self.metricOption)
  }
}
