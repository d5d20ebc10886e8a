import Aggregation
import Codecs
import History
import Platform

/// Statements about single samples of a series.
struct PageStatements {
  /// The metric and the window.
  var selection: ServerSelection
  let focus: SeriesIdentity
  var narrowed: String?
  var filter: SampleFilter?

  /// Columns that ``StoredSample`` reads.
  static let columns =
    "bucket, name, type, host, at, kind, numbers.value[1] AS v1, labels.value[1] AS l1, json, stream, seq"

  private static let byTime = ["at", "host", "stream", "seq"]

  private var field: String { Statements.literal(focus.field ?? "") }
  private var number: String { "numbers.value[indexOf(numbers.name, \(field))]" }
  private var label: String { "labels.value[indexOf(labels.name, \(field))]" }

  /// The condition for samples that have a value of the focus and pass the filter.
  private var condition: String {
    let isOf =
      focus.field == nil
      ? "(kind != \(StoredKind.object) OR empty(numbers.name) AND empty(labels.name))"
      : "(has(numbers.name, \(field)) OR has(labels.name, \(field)))"
    let all = [isOf, narrowed.map(isNarrowed), filter?.values.map(isWithin)].compactMap { $0 }
    let labels = filter?.labels.sorted { $0.key < $1.key }.map(isLabel) ?? []
    return (all + labels).joined(separator: " AND ")
  }

  private func isNarrowed(to text: String) -> String {
    let isLabel = "has(labels.name, \(field)) AND \(Self.isText(label, text))"
    guard focus.field == nil else { return isLabel }
    return "if(kind IN (\(StoredKind.array), \(StoredKind.object)), \(Self.isText("json", text)), \(isLabel))"
  }

  /// The condition for a text that a table of texts cuts to the same.
  private static func isText(_ value: String, _ text: String) -> String {
    guard text.utf8.count > TextTable.byteLimit else { return "\(value) = \(Statements.literal(text))" }
    let start = String(TextTable.cut(text).dropLast())
    return
      "(startsWith(\(value), \(Statements.literal(start))) AND length(\(value)) > \(TextTable.byteLimit))"
  }

  private func isWithin(_ values: Range<Double>) -> String {
    let isNumber =
      focus.field == nil
      ? "kind IN (\(StoredKind.number), \(StoredKind.wideInteger))" : "has(numbers.name, \(field))"
    return [
      isNumber, Self.bound(number, ">=", values.lowerBound), Self.bound(number, "<", values.upperBound),
    ]
    .compactMap { $0 }.joined(separator: " AND ")
  }

  private static func bound(_ value: String, _ comparison: String, _ bound: Double) -> String? {
    guard bound.isFinite else { return comparison == "<" ? nil : bound > 0 ? "0" : nil }
    return "\(value) \(comparison) \(Statements.literal(bound))"
  }

  private func isLabel(_ name: String, _ value: SampleCube.LabelValue) -> String {
    if [SampleCube.fileDimension, SampleCube.hostDimension].contains(name) {
      guard case .value(let host) = value else { return "0" }
      return "host = \(Statements.literal(host))"
    }
    // As in files, the focus itself is no label beside it.
    if name == focus.field ?? "" { return value == .missing ? "1" : "0" }
    let name = Statements.literal(name)
    switch value {
    case .missing: return "NOT has(labels.name, \(name))"
    case .value(let text):
      return "has(labels.name, \(name))"
        + " AND labels.value[indexOf(labels.name, \(name))] = \(Statements.literal(text))"
    }
  }

  /// The sort key of rows: the number, 0 or 1 of a bool, nothing of a text.
  private var order: String {
    let none = "toFloat64('-inf')"
    guard focus.field != nil else {
      return
        "multiIf(kind IN (\(StoredKind.number), \(StoredKind.wideInteger)), numbers.value[1], kind = \(StoredKind.bool),"
        + " toFloat64(labels.value[1] = 'true'), \(none))"
    }
    return
      "multiIf(has(numbers.name, \(field)), \(number), \(label) = 'true', toFloat64(1), \(label) = 'false',"
      + " toFloat64(0), \(none))"
  }

  private var source: String {
    "FROM \(selection.database).samples WHERE \(selection.samples(condition))"
  }

  /// The same statements about less time.
  func during(_ times: Range<Int64>) -> PageStatements {
    var statements = self
    statements.selection.times = [times]
    return statements
  }

  /// The number of rows in all, and of those before a place in the order of time.
  func count(before place: Place?) -> String {
    "SELECT count(), toUInt64(\(place.map { "countIf(\(isBefore($0)))" } ?? "0")) \(source)"
  }

  /// A place in the order of time: that of a sample, or the first of a time.
  struct Place {
    let at: Int64
    var host: String?
    var seq: UInt64 = 0
  }

  private func isBefore(_ place: Place) -> String {
    guard let host = place.host.map(Statements.literal) else { return "at < \(place.at)" }
    return
      "at < \(place.at) OR at = \(place.at) AND (host < \(host) OR host = \(host) AND seq < \(place.seq))"
  }

  /// The number of rows in all, and of those before a sample in the order of value; all of them if it is missing.
  func count(before place: Place, descending: Bool) -> String {
    // Without its value there is no comparison.
    let isIt = "host = \(Statements.literal(place.host ?? "")) AND at = \(place.at) AND seq = \(place.seq)"
    let value = "(SELECT \(order) \(source) AND \(isIt) LIMIT 1)"
    let (less, isBefore) = (descending ? ">" : "<", isBefore(place))
    let before = descending ? "NOT (\(isBefore)) AND NOT (\(isIt))" : isBefore
    return "SELECT count(), toUInt64(countIf((\(order)) \(less) \(value)"
      + " OR (\(order)) = \(value) AND (\(before)))) \(source)"
  }

  /// Rows in the order of time.
  ///
  /// - Parameters:
  ///   - rows: Counted from the place on, or backwards from it.
  ///   - backwards: True to read those before the place, the nearest first.
  func rows(_ rows: Range<Int>, from place: Place?, backwards: Bool) -> String {
    let isIncluded = place.map { backwards ? " AND (\(isBefore($0)))" : " AND NOT (\(isBefore($0)))" } ?? ""
    return "SELECT \(Self.columns) \(source)\(isIncluded)" + Self.slice(Self.byTime, rows, backwards)
  }

  /// Rows in the order of value.
  func rows(_ rows: Range<Int>, descending: Bool) -> String {
    "SELECT \(Self.columns) \(source)" + Self.slice([order] + Self.byTime, rows, descending)
  }

  private static func slice(_ order: [String], _ rows: Range<Int>, _ descending: Bool) -> String {
    let order = order.map { $0 + (descending ? " DESC" : "") }.joined(separator: ", ")
    return " ORDER BY \(order) LIMIT \(rows.lowerBound), \(rows.count)"
  }

  /// Rows in the order of their hosts, one in `part` of them.
  func sample(part: Int, limit: Int) -> String {
    let isIncluded = part > 1 ? " AND cityHash64(stream, seq) % \(part) = 0" : ""
    return "SELECT \(Self.columns) \(source)\(isIncluded) ORDER BY host, at, stream, seq LIMIT \(limit)"
  }

  /// All samples of all metrics in the order of time.
  static func all(_ selection: ServerSelection, limit: Int = 10_000_000) -> String {
    "SELECT \(columns) FROM \(selection.database).samples WHERE \(selection.samples())"
      + slice(byTime, 0..<limit, false)
  }

  /// The number of numbers of the focus, and of those that are not above one.
  func rank(of value: Double) -> String {
    let isNumber =
      focus.field == nil
      ? "kind IN (\(StoredKind.number), \(StoredKind.wideInteger))" : "has(numbers.name, \(field))"
    return "SELECT count(), countIf(\(number) <= \(Statements.literal(value))) \(source) AND \(isNumber)"
  }

  /// The number of samples of the metric with each of some labels.
  func peers(_ labels: [(field: String, value: String)]) -> String {
    let counts = labels.map { label in
      let name = Statements.literal(label.field)
      let value = "labels.value[indexOf(labels.name, \(name))]"
      return "countIf(has(labels.name, \(name)) AND \(Self.isText(value, label.value)))"
    }
    return "SELECT \(counts.joined(separator: ", ")) FROM \(selection.database).samples"
      + " WHERE \(selection.samples())"
  }
}
