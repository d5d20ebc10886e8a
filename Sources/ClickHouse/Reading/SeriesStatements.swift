import Aggregation
import History

/// Statements for the sums of series, by step of a chart if wanted.
///
/// Each gives rows that ``SeriesRows`` reads. Whole slots come from the rollups, everything else from the samples.
struct SeriesStatements {
  /// Maximum distinct texts of a series, or of a step, that are told apart; one more shows that there are others.
  static let textLimit = TextTable.limit + 1

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
  func bins(_ slots: Range<Int64>?) -> String {
    "SELECT \(names)\(rollupStep) AS s, key, sum(count) FROM \(database).\(selection.rollup.bins)"
      + " WHERE \(selection.slots(slots)) GROUP BY \(names)s, key"
  }

  /// The number of numbers of each host from whole slots, of those in a bin of the rollup, and of those above it.
  func shares(above key: Int32, _ slots: Range<Int64>?) -> String {
    "SELECT host, sum(count), sum(if(key = \(key), count, 0)), sum(if(key > \(key), count, 0))"
      + " FROM \(database).\(selection.rollup.bins) WHERE \(selection.slots(slots)) GROUP BY host"
  }

  /// The same from samples.
  func shares(above key: Int32) -> String {
    let bin = Rollup.key(selection.rollup.shift)
    return "SELECT host, count(), countIf(\(bin) = \(key)), countIf(\(bin) > \(key))"
      + " FROM \(database).samples ARRAY JOIN numbers.name AS field, numbers.value AS v"
      + " WHERE \(selection.samples(selection.element)) GROUP BY host"
  }

  private var rollupStep: String {
    step.map { "intDiv(slot, \(max(1, $0 / SampleTimes.second / Int64(selection.rollup.seconds))))" }
      ?? "toInt64(0)"
  }

  /// Values without a number from samples, the most frequent ones of each series and step.
  var words: String {
    "SELECT \(names)\(sampleStep) AS s, \(Words.mark) AS mark, \(Words.word) AS word, count() AS n, min(at), max(at)"
      + " \(wordSource) GROUP BY \(names)s, mark, word \(mostFrequent)"
  }

  /// The number of all those values, for those that ``words`` leaves out.
  var allWords: String { "SELECT \(names)\(sampleStep) AS s, count() \(wordSource) GROUP BY \(names)s" }

  /// The same from whole slots of a rollup.
  func words(_ slots: Range<Int64>?) -> String {
    "SELECT \(names)\(rollupStep) AS s, mark, word, sum(count) AS n, minMerge(first), maxMerge(last)"
      + " \(wordSlots(slots)) GROUP BY \(names)s, mark, word \(mostFrequent)"
  }

  func allWords(_ slots: Range<Int64>?) -> String {
    "SELECT \(names)\(rollupStep) AS s, sum(count) \(wordSlots(slots)) GROUP BY \(names)s"
  }

  private var mostFrequent: String { "ORDER BY n DESC, word LIMIT \(Self.textLimit) BY \(names)s" }

  private var wordSource: String {
    "FROM \(database).samples \(Words.join) WHERE \(selection.samples(selection.element))"
  }

  private func wordSlots(_ slots: Range<Int64>?) -> String {
    "FROM \(database).\(selection.rollup.words) WHERE \(selection.slots(slots))"
  }
}

extension SeriesStatements {
  /// The number of values in each step of so many slots, with its first and last time: numbers, and all others.
  func density(merging slots: Int64) -> [String] {
    [selection.rollup.sums, selection.rollup.words].map { table in
      "SELECT sum(count), minMerge(first), maxMerge(last) FROM \(database).\(table)"
        + " WHERE \(selection.slots(nil)) GROUP BY intDiv(slot, \(slots))"
    }
  }

  private static func sampleStep(_ step: Int64?) -> String {
    step.map { "intDiv(at - \(SampleRow.epoch * SampleTimes.second), \($0))" } ?? "toInt64(0)"
  }
}
