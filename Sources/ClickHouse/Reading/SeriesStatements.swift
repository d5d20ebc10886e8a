import Aggregation
import History

/// Statements for the sums of series, by step of a chart if wanted.
///
/// Each gives rows that ``SeriesRows`` reads. Numbers of whole slots come from the rollups, everything else from the
/// samples.
struct SeriesStatements {
  /// Maximum distinct texts of a series, or of a step, that are told apart; one more shows that there are others.
  static let textLimit = TextTable.limit + 1
  /// Bytes of a text that tell it apart, as in a ``TextTable`` with some to spare.
  private static let textBytes = 128

  let selection: ServerSelection
  /// The nanoseconds of a step; `nil` for one sum of all times.
  var step: Int64?

  private var database: String { selection.database }
  private var names: String { selection.names }
  private var sampleStep: String { Self.sampleStep(step) }

  /// Numbers from samples, with their bins.
  ///
  /// - Parameter shift: The bits of a double that a bin leaves out; `nil` for no bins.
  func numbers(shift: Int?) -> String {
    let key = shift.map(Rollup.key) ?? "toInt32(0)"
    return "SELECT \(names)\(sampleStep) AS s, \(key) AS k, count(), sum(v), min(v), max(v), min(at), max(at)"
      + " FROM \(database).samples ARRAY JOIN numbers.name AS field, numbers.value AS v"
      + " WHERE \(selection.samples(selection.element)) GROUP BY \(names)s, k"
  }

  /// Sums of numbers from whole slots of a rollup.
  func sums(_ slots: Range<Int64>?) -> String {
    "SELECT \(names)\(rollupStep) AS s, toInt32(0), sum(count), sum(sum), minMerge(low), maxMerge(high),"
      + " minMerge(first), maxMerge(last) FROM \(database).\(selection.rollup.sums)"
      + " WHERE \(selection.slots(slots)) GROUP BY \(names)s"
  }

  /// Bins of numbers from whole slots of a rollup.
  func bins(_ slots: Range<Int64>) -> String {
    "SELECT \(names)\(rollupStep) AS s, key, sum(count) FROM \(database).\(selection.rollup.bins)"
      + " WHERE \(selection.slots(slots)) GROUP BY \(names)s, key"
  }

  private var rollupStep: String {
    step.map { "intDiv(slot, \(max(1, $0 / SampleTimes.second / Int64(selection.rollup.seconds))))" }
      ?? "toInt64(0)"
  }

  /// Texts and bools, the most frequent ones of each series and step.
  var labels: String {
    "SELECT \(names)\(sampleStep) AS s, \(Self.isBool) AS b, substring(v, 1, \(Self.textBytes)) AS word,"
      + " count() AS n, min(at), max(at) \(labelSource) GROUP BY \(names)s, b, word"
      + " ORDER BY n DESC, word LIMIT \(Self.textLimit) BY \(names)s"
  }

  /// The number of all texts and bools, for those that ``labels`` leaves out.
  var allLabels: String { "SELECT \(names)\(sampleStep) AS s, count() \(labelSource) GROUP BY \(names)s" }

  private var labelSource: String {
    "FROM \(database).samples ARRAY JOIN labels.name AS field, labels.value AS v"
      + " WHERE \(selection.samples(selection.element))"
  }

  /// Samples that are neither numbers nor labels nor have any: nulls, arrays and structs without a field.
  var others: String {
    "SELECT \(otherNames)\(sampleStep) AS s, toUInt8(kind = \(StoredKind.null)) AS b,"
      + " if(b, '', substring(json, 1, \(Self.textBytes))) AS word, count() AS n, min(at), max(at)"
      + " \(otherSource) GROUP BY \(names)s, b, word ORDER BY n DESC, word LIMIT \(Self.textLimit) BY \(names)s"
  }

  /// The number of all those samples, for those that ``others`` leaves out.
  var allOthers: String {
    "SELECT \(otherNames)\(sampleStep) AS s, count() \(otherSource) GROUP BY \(names)s"
  }

  private var otherNames: String { names.replacing("field, ", with: "'' AS field, ") }

  private var otherSource: String {
    "FROM \(database).samples WHERE \(selection.samples(Self.isOther))"
  }

  private static let isBool =
    "toUInt8(kind = \(StoredKind.bool) OR kind = \(StoredKind.object) AND v IN ('true', 'false'))"

  private static let isOther =
    "(kind IN (\(StoredKind.null), \(StoredKind.array)) OR kind = \(StoredKind.object)"
    + " AND empty(numbers.name) AND empty(labels.name))"
}

extension SeriesStatements {
  /// The number of values in each step of so many slots, with its first and last time: numbers, and all others.
  func density(merging slots: Int64) -> [String] {
    let step = slots * Int64(selection.rollup.seconds) * SampleTimes.second
    let count =
      "sum(multiIf(kind != \(StoredKind.object), 1, empty(numbers.name) AND empty(labels.name), 1, length(labels.name)))"
    return [
      "SELECT sum(count), minMerge(first), maxMerge(last) FROM \(database).\(selection.rollup.sums)"
        + " WHERE \(selection.slots(nil)) GROUP BY intDiv(slot, \(slots))",
      "SELECT toUInt64(\(count)), min(at), max(at) FROM \(database).samples"
        + " WHERE \(selection.samples("kind NOT IN (\(StoredKind.number), \(StoredKind.wideInteger))"))"
        + " GROUP BY \(Self.sampleStep(step))",
    ]
  }

  private static func sampleStep(_ step: Int64?) -> String {
    step.map { "intDiv(at - \(SampleRow.epoch * SampleTimes.second), \($0))" } ?? "toInt64(0)"
  }
}
