import Aggregation
import History
import JSONLines
package import Platform
package import QueryLanguage

/// The samples that a command reads.
package struct SampleSelection: Sendable, Equatable {
  /// The time range, both ends included.
  package var since = Timestamp.distantPast
  package var until = Timestamp.distantFuture
  /// Only metrics of this bucket; empty for metrics without one.
  package var bucket: String?
  /// Only metrics of this name, with or without the bucket.
  package var metric: String?
  /// Only samples and metrics that match a query.
  package var query: Query?

  /// The origins of payloads, if the query compares them.
  private(set) var origins: PayloadOriginTable?

  package init() {}

  /// The time range as a half-open one.
  var window: Range<Timestamp> { since..<max(since, until.nextUp) }

  var limitsTime: Bool { since > .distantPast || until < .distantFuture }

  /// True if metrics are filtered.
  var limitsMetrics: Bool { bucket != nil || metric != nil || query != nil }

  /// True if samples of a metric may be selected, before any of them is examined.
  func admits(_ identity: MetricIdentity) -> Bool {
    isNamed(identity) && query.map { $0.concerns(name: identity.fullName) } != false
  }

  /// True if a series, which has a name of its own, may be selected.
  func admits(_ series: SeriesIdentity) -> Bool {
    let identity = MetricIdentity(bucket: series.bucket, name: series.name, typeName: series.typeName)
    let fullName = series.field.map { "\(identity.fullName).\($0)" } ?? identity.fullName
    return isNamed(identity) && query?.matches(name: fullName) != false
  }

  /// True if the fields of a sample match; its metric must have been admitted.
  func chooses(_ sample: Sample, of identity: MetricIdentity, payload: ArraySlice<UInt8>) -> Bool {
    guard let query, query.needsFields else { return true }
    return query.matches(
      fieldsOf: FieldSample(
        sample, of: identity, payload: payload, fields: query.fields, origins: origins))
  }

  /// Reads the origins of payloads in some files, if the query compares them.
  ///
  /// A payload's document may follow its figures, so the files are read twice; a stream cannot be. Files that cannot be
  /// read are left to the caller.
  mutating func readOrigins(in paths: [String], mapping: LineMapping?) {
    let known = PayloadOriginTable.dimensions.union(PayloadOriginTable.formerMembers)
    guard let query, !known.isDisjoint(with: query.fields) else { return }
    var found = PayloadOriginTable()
    for path in paths where path != "-" {
      guard let source = try? ExportSource(path: path, window: window, cache: nil, mapping: mapping) else {
        continue
      }
      _ = try? source.forEachPiece { batch, catalogue, _, _ in found.note(batch, catalogue) }
    }
    origins = found
  }

  /// True if a metric has the selected bucket and name, regardless of the query.
  func isNamed(_ identity: MetricIdentity) -> Bool {
    if let bucket, bucket != identity.bucket ?? "" { return false }
    guard let metric else { return true }
    return metric == identity.name || metric == identity.fullName
  }
}

// MARK: Command line

extension SampleSelection {
  private static let sinceOption = CommandOption(
    "since", "TIME", help: "only samples from this time on: ISO 8601, or an age such as 15m or 2d")
  private static let untilOption = CommandOption("until", "TIME", help: "only samples up to this time")
  private static let bucketOption = CommandOption(
    "bucket", "NAME", completion: .buckets, help: "only metrics of this bucket")
  private static let metricOption = CommandOption(
    "metric", "NAME", completion: .metrics,
    help: "only metrics of this name, as name or bucket.name")
  static let whereOption = CommandOption(
    "where", "QUERY", help: "only what a query chooses, such as 'route = /feed and api' (docs/query.md)")

  static let options = [sinceOption, untilOption, bucketOption, metricOption, whereOption]

  /// - Parameter knowledge: The features, besides names, that a query may use in this command.
  init(_ arguments: Arguments, knowing knowledge: Query.Knowledge) throws(UsageError) {
    since = try arguments.time(Self.sinceOption) ?? .distantPast
    until = try arguments.time(Self.untilOption) ?? .distantFuture
    guard since <= until else { throw .emptyWindow(Self.sinceOption.flag, Self.untilOption.flag) }
    bucket = arguments.value(Self.bucketOption)
    metric = arguments.value(Self.metricOption)
    query = try arguments.query(Self.whereOption, knowing: knowledge)
  }
}

extension Arguments {
  /// A query; `nil` for none, or for one that matches everything.
  func query(_ option: CommandOption, knowing knowledge: Query.Knowledge) throws(UsageError) -> Query? {
    guard let text = value(option) else { return nil }
    do throws(QueryError) {
      let query = try Query.parse(text, knowing: knowledge)
      return query.isEmpty ? nil : query
    } catch {
      throw .invalidQuery(text, for: option.flag, error)
    }
  }
}
