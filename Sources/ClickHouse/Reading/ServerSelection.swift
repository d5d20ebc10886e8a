import Aggregation
import History
import Platform

/// The samples that a statement is about, as the conditions that select them.
struct ServerSelection: Sendable {
  /// The seconds of one value in the order of the table `samples`.
  ///
  /// Questions about all hosts read whole slots; each slot costs a question about one host some 8,000 rows of others.
  static let orderSlot = 128

  let database: String
  /// The host of the samples; `nil` for all.
  var host: String?
  /// The series, of which other parts choose what is needed; `nil` for all series.
  var series: SeriesIdentity?
  /// Nanoseconds since 1970; ranges must not overlap.
  var times: [Range<Int64>]

  /// The rollup that has sums of these samples; by default that for all hosts, or for one.
  var rollup: Rollup
  /// True for sums of each host.
  private(set) var isByHost = false
  /// The hosts among which sums are split; `nil` for all.
  private var hosts: [String]?

  init(
    database: String, host: String? = nil, series: SeriesIdentity? = nil, times: [Range<Int64>],
    rollup: Rollup? = nil
  ) {
    (self.database, self.host, self.series, self.times) = (database, host, series, times)
    self.rollup = rollup ?? (host == nil ? .slots : .hosts)
  }

  /// The columns of a series' identity that a result needs, each followed by a comma.
  var names: String { (isByHost ? "host, " : "") + (series == nil ? "bucket, name, type, field, " : "") }

  /// Asks for sums of each host, or of some.
  mutating func splitByHost(among hosts: [String]? = nil) {
    (isByHost, self.hosts, rollup) = (true, hosts, .hosts)
  }

  /// The metric and the host.
  private var place: [String] {
    var conditions: [String] = []
    if let series {
      conditions.append("bucket = \(Statements.literal(series.bucket ?? ""))")
      conditions.append("name = \(Statements.literal(series.name))")
      conditions.append("type = \(Statements.literal(series.typeName))")
    }
    if let hosts {
      conditions.append("host IN (\(hosts.map(Statements.literal).joined(separator: ", ")))")
    }
    if let host { conditions.append("host = \(Statements.literal(host))") }
    return conditions
  }

  /// The condition for samples of the metric.
  func samples(_ others: String...) -> String {
    let ranges = times.filter { $0 != SampleTimes.all }.map(Self.condition)
    let times = ranges.isEmpty ? [] : ["(" + ranges.joined(separator: " OR ") + ")"]
    return Self.joined(place + times + others)
  }

  /// The condition for rows of a rollup.
  func slots(_ slots: Range<Int64>?) -> String {
    let field = series.map { "field = \(Statements.literal($0.field ?? ""))" }
    let range = slots.map { "slot >= \($0.lowerBound) AND slot < \($0.upperBound)" }
    return Self.joined(place + [field, range].compactMap { $0 })
  }

  /// The condition for elements of `numbers` or `labels` of the series, by the name of the element.
  var element: String { series.map { "field = \(Statements.literal($0.field ?? ""))" } ?? "1" }

  private static func joined(_ conditions: [String]) -> String {
    conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
  }

  private static func condition(_ range: Range<Int64>) -> String {
    // The first part is one of the order of the table.
    let slots = SampleTimes.slots(touching: range, seconds: Int64(orderSlot))
    let slot = Rollup.slot(orderSlot)
    return "(\(slot) >= \(slots.lowerBound) AND \(slot) < \(slots.upperBound)"
      + " AND at >= \(range.lowerBound) AND at < \(range.upperBound))"
  }
}
