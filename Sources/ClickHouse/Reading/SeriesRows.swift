import Aggregation
import History
import Platform

/// Sums of series by step, from the rows of a server; the cells are those of an index.
struct SeriesRows {
  /// The sum of one series in one step.
  struct Key: Hashable {
    /// The host, of rows that name one.
    var host = ""
    let series: SeriesIdentity
    let step: Int64
  }

  private struct Entry {
    var cell = IndexCell()
    var bins: [Int32: UInt32] = [:]
    var words: [String: Int] = [:]
    /// Texts that are not told apart.
    var unlisted = 0

    /// Adds a value without a number; its mark is that of ``Words``.
    mutating func add(_ word: String, _ mark: UInt8, count: Int, _ first: Timestamp, _ last: Timestamp) {
      cell.cover(first, last)
      switch mark {
      case 1 where word == "true": cell.trues = cell.trues.addingSaturated(count)
      case 1: cell.falses = cell.falses.addingSaturated(count)
      case 2: cell.nulls = cell.nulls.addingSaturated(count)
      default: words[word] = (words[word] ?? 0).addingSaturated(count)
      }
    }
  }

  /// Dropped bits of the bins of an index.
  static let finestShift = 46

  /// The series of rows that name none.
  private let series: SeriesIdentity?
  /// How often the bins of the rows were halved from those of an index.
  private let coarseness: UInt8
  private let isByHost: Bool
  private var entries: [Key: Entry] = [:]

  init(of series: SeriesIdentity?, coarseness: UInt8 = 0, isByHost: Bool = false) {
    (self.series, self.coarseness, self.isByHost) = (series, coarseness, isByHost)
  }

  private func key(_ row: inout RowBinaryReader) throws(RowBinaryReader.Damage) -> Key {
    let host = isByHost ? try row.text() : ""
    if let series { return Key(host: host, series: series, step: try row.word()) }
    return Key(host: host, series: try row.series(), step: try row.word())
  }

  /// Reads rows of ``SeriesStatements/numbers(shift:)`` or ``SeriesStatements/sums(_:)``.
  mutating func addNumbers(_ bytes: [UInt8], haveBins: Bool) throws(RowBinaryReader.Damage) {
    var row = RowBinaryReader(bytes)
    while !row.isDone {
      let key = try key(&row)
      let bin: Int32 = try row.word()
      var cell = IndexCell()
      cell.numbers = try row.tally()
      let sum = try row.double()
      (cell.minimum, cell.maximum) = (try row.double(), try row.double())
      (cell.firstTime, cell.lastTime) = (SampleTimes.time(try row.word()), SampleTimes.time(try row.word()))
      // A number of a file is finite.
      guard cell.numbers > 0, sum.isFinite, cell.minimum.isFinite, cell.maximum.isFinite else { continue }
      cell.sum.add(sum)
      entries[key, default: Entry()].cell.merge(cell)
      if haveBins { add(bin, count: cell.numbers, to: key) }
    }
  }

  /// Reads rows of ``SeriesStatements/bins(_:)``.
  mutating func addBins(_ bytes: [UInt8]) throws(RowBinaryReader.Damage) {
    var row = RowBinaryReader(bytes)
    while !row.isDone {
      let key = try key(&row)
      let bin: Int32 = try row.word()
      add(bin, count: try row.tally(), to: key)
    }
  }

  private mutating func add(_ bin: Int32, count: Int, to key: Key) {
    guard count > 0 else { return }
    let old = entries[key]?.bins[bin] ?? 0
    entries[key, default: Entry()].bins[bin] = UInt32(clamping: Int(old).addingSaturated(count))
  }

  /// Reads rows of ``SeriesStatements/words``.
  ///
  /// - Returns: The counts that were listed, if that may not be all.
  mutating func addWords(_ bytes: [UInt8]) throws(RowBinaryReader.Damage) -> [Key: Int]? {
    var row = RowBinaryReader(bytes)
    var listed: [Key: (rows: Int, count: Int)] = [:]
    while !row.isDone {
      let key = try key(&row)
      let (mark, word, count) = (try row.word(UInt8.self), try row.text(), try row.tally())
      let (first, last) = (SampleTimes.time(try row.word()), SampleTimes.time(try row.word()))
      entries[key, default: Entry()].add(word, mark, count: count, first, last)
      let before = listed[key] ?? (0, 0)
      listed[key] = (before.rows + 1, before.count.addingSaturated(count))
    }
    let isWhole = listed.values.allSatisfy { $0.rows < SeriesStatements.textLimit }
    return isWhole ? nil : listed.mapValues(\.count)
  }

  /// Reads rows of ``SeriesStatements/allWords``.
  mutating func addRest(_ bytes: [UInt8], beside listed: [Key: Int]) throws(RowBinaryReader.Damage) {
    var row = RowBinaryReader(bytes)
    while !row.isDone {
      let key = try key(&row)
      let count = try row.tally()
      if let known = listed[key], count > known { entries[key]?.unlisted += count - known }
    }
  }

  /// Calls `body` with each sum.
  func forEach(_ body: (Key, IndexCell, TextTable) -> Void) {
    for (key, entry) in entries {
      var (cell, texts) = (entry.cell, TextTable())
      cell.sketch = sketch(entry.bins)
      let words = entry.words.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for word in words.prefix(TextTable.limit) {
        cell.record(text: texts.number(of: word.key, allowNew: true), count: word.value)
      }
      let rest = words.dropFirst(TextTable.limit).reduce(entry.unlisted) { $0.addingSaturated($1.value) }
      if rest > 0 { cell.record(text: 0, count: rest) }
      body(key, cell, texts)
    }
  }

  /// All numbers of all sums, by bins halved as often as those of `sketch` at least.
  func bins(asCoarseAs sketch: SketchHistogram) -> [HistogramBin] {
    var all = sketch
    for entry in entries.values { wholeSketch(entry.bins).map { all.merge($0, limit: .max) } }
    return all.intervals
  }

  private func sketch(_ bins: [Int32: UInt32]) -> SketchHistogram {
    var sketch = SketchHistogram()
    if let all = wholeSketch(bins) { sketch.merge(all, limit: IndexCell.bins) }
    return sketch
  }

  /// `nil` for what is not a histogram of doubles.
  private func wholeSketch(_ bins: [Int32: UInt32]) -> SketchHistogram? {
    let sorted = bins.sorted { $0.key < $1.key }.map { SketchHistogram.Bin(key: $0.key, count: $0.value) }
    return SketchHistogram(coarseness: coarseness, bins: sorted)
  }

  /// Everything as sums without steps.
  var sums: SeriesSums {
    var sums = SeriesSums()
    forEach { sums.add($1, of: $0.series, texts: $2) }
    return sums
  }
}

extension IndexCell {
  /// Extends the times.
  fileprivate mutating func cover(_ first: Timestamp, _ last: Timestamp) {
    (firstTime, lastTime) = (min(firstTime, first), max(lastTime, last))
  }
}
