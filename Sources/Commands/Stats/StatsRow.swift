import Aggregation
import Codecs
import Essentials
import JSONLines
import Platform
import QueryLanguage

/// One row of the output of `stats`.
struct StatsRow: Sendable {
  let bucket: String?
  let name: String
  let type: String
  /// The number of samples of any kind.
  let count: Int
  /// The number of numeric samples; all figures are computed from these.
  let numberCount: Int
  let minimum: ExactNumber?
  let maximum: ExactNumber?
  let mean: Double?
  let standardDeviation: Double?
  let percentiles: [Double?]
  /// Maximum relative error of the percentiles; 0 if exact, `nil` without any number.
  let percentileError: Double?
  /// The earliest and the latest time.
  let first: Timestamp
  let last: Timestamp
  /// The unit in Apple's spelling, of figures of payloads.
  let unit: String?
  /// The number with the latest time, if requested.
  let newest: Double?

  static let percentiles = [50.0, 90, 95, 99]

  /// The names of all columns, in order.
  static let columns = [
    "bucket", "name", "type", "count", "min", "max", "mean", "stddev", "p50", "p90", "p95", "p99", "first",
    "last", "numbers", "error",
  ]

  init(_ key: StatsTable.Key, _ tally: MetricTally) {
    bucket = key.metric.bucket
    name = key.field.map { key.metric.name + "." + $0 } ?? key.metric.name
    type = key.field == nil ? key.metric.typeName : tally.numbers.count > 0 ? "number" : "text"
    count = tally.count
    numberCount = tally.numbers.count
    percentileError = numberCount > 0 ? tally.numbers.percentileError : nil
    minimum = tally.minimum
    maximum = tally.maximum
    mean = tally.numbers.moments.mean
    standardDeviation = tally.numbers.moments.standardDeviation.map(Self.rounded)
    let found = tally.numbers.values(atPercentiles: Self.percentiles)
    percentiles = Self.percentiles.indices.map { found.indices.contains($0) ? found[$0].value : nil }
    first = tally.first
    last = tally.last
    unit = tally.unit
    newest = tally.newest?.number
  }

  /// Twelve digits: the last ones of a double depend on how a file was divided among the cores.
  private static func rounded(_ value: Double) -> Double {
    Double(String.printed("%.12g", value)) ?? value
  }

  /// The numbers in the order of the columns after `count`.
  var numbers: [ExactNumber?] {
    var numbers: [ExactNumber?] = [minimum, maximum, mean.map(ExactNumber.double)]
    numbers.append(standardDeviation.map(ExactNumber.double))
    numbers += percentiles.map { $0.map(exact) }
    numbers += [.double(first.seconds), .double(last.seconds), .double(Double(numberCount))]
    numbers.append(percentileError.map(ExactNumber.double))
    return numbers
  }

  /// A percentile; if its double is that of an extreme, the extreme with all its digits.
  ///
  /// So no percentile lies outside the extremes; it may stand for another number with the same nearest double.
  private func exact(_ percentile: Double) -> ExactNumber {
    [minimum, maximum].compactMap { $0 }.first { $0.approximation == percentile } ?? .double(percentile)
  }
}

extension StatsTable {
  /// The rows matching a query, or all, sorted by bucket (none first), name and type.
  ///
  /// The tallies are consumed.
  mutating func takeRows(chosenBy query: Query?, units: [String: ValueUnit] = [:]) -> [StatsRow] {
    var rows: [StatsRow] = []
    rows.reserveCapacity(tallies.count)
    let others = query.map(rowsByName) ?? [:]
    for (key, place) in places {
      let row = StatsRow(key, tallies[place])
      let subject = query.map { _ in StatsSubject(row: row, span: span, units: units, rows: others) }
      if let query, let subject, !query.matches(metric: subject, samplesAreChosen: true) { continue }
      rows.append(row)
    }
    removeAll()
    // Sorts indices, because rows are large and a sort moves each one many times.
    let order = rows.indices.sorted { left, right in
      (rows[left].bucket ?? "", rows[left].name, rows[left].type)
        < (rows[right].bucket ?? "", rows[right].name, rows[right].type)
    }
    return order.map { rows[$0] }
  }

  /// The rows available to a query's calculations, by full name; of two, the one with more samples.
  private func rowsByName(_ query: Query) -> [String: StatsRow] {
    guard !query.references.isEmpty else { return [:] }
    return Dictionary(
      places.lazy.map { key, place in StatsRow(key, tallies[place]) }.map { ($0.fullName, $0) },
      uniquingKeysWith: { $0.count < $1.count ? $1 : $0 })
  }
}

extension ExactNumber {
  /// The shortest decimal that reads back as the same number; integers without a decimal point.
  var text: String {
    switch self {
    case .integer(let value): return value.description
    case .double(let value):
      let text = "\(value)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
  }
}
