import Aggregation
import History
import Platform

// Sums of series and their charts.
extension ClickHouseSource {
  /// Fewest whole slots for which rollups are read; samples of less time are few.
  private static let fewestSlots = 64
  /// The same of all hosts, each of which has bins of its own.
  private static let fewestSlotsByHost = 8
  /// The shortest step of a chart, as a power of two in seconds: its nanoseconds are a whole number.
  private static let shortestStep = -9
  /// The longest step that statements have: all times fit into a few.
  private static let longestStep = 30
  /// Number of slots sufficient for a strip across the screen.
  private static let stripSlots = 256.0

  /// The kinds of values to ask for.
  struct Contents {
    var hasNumbers = true
    var hasWords = true

    init() {}

    init(_ cells: some Sequence<IndexCell>) {
      (hasNumbers, hasWords) = (false, false)
      for cell in cells {
        hasNumbers = hasNumbers || cell.numbers > 0
        hasWords = hasWords || cell.trues > 0 || cell.falses > 0 || cell.nulls > 0 || !cell.texts.isEmpty
      }
    }
  }

  /// The sums of all series inside a window.
  func inside(_ window: Range<Timestamp>, _ all: Everything, _ host: String?) throws -> SeriesSums {
    guard let range = all.range, window.lowerBound > range.lowerBound || window.upperBound <= range.upperBound
    else { return all.sums }
    return try sums(
      selection(host, in: [SampleTimes.range(window)]), Contents(all.sums.series.values.lazy.map(\.cell)),
      withBins: false)
  }

  func summary(
    of focus: SeriesIdentity, in window: Range<Int64>, _ query: HistoryQuery, _ all: Everything
  ) throws -> HistorySummary {
    let sums = try sums(
      selection(query.scope.host, of: focus, in: [window]), Contents([all.sums[focus].cell]), withBins: true)
    return HistorySummary(sums[focus], of: focus, narrowed: query.narrowed)
  }

  /// The sums of a window: its whole slots from the rollups, and its edges from the samples.
  func sums(_ selection: ServerSelection, _ contents: Contents, withBins: Bool) throws -> SeriesSums {
    try rows(of: selection, contents, withBins: withBins).sums
  }

  /// The rows of those sums.
  func rows(of selection: ServerSelection, _ contents: Contents, withBins: Bool) throws -> SeriesRows {
    let parts = Self.split(selection)
    let shift = parts.usesRollup ? selection.rollup.shift : SeriesRows.finestShift
    var rows = SeriesRows(
      of: selection.series, coarseness: UInt8(shift - SeriesRows.finestShift), isByHost: selection.isByHost)
    if parts.usesRollup {
      try addRollup(
        SeriesStatements(selection: selection), parts.slots, contents, withBins: withBins, to: &rows)
    }
    if !parts.rest.isEmpty {
      var rest = selection
      rest.times = parts.rest
      try addSamples(
        SeriesStatements(selection: rest), contents, shift: withBins ? shift : nil, to: &rows)
    }
    return rows
  }

  /// The slots of a window for which the rollup is read, `nil` for all of them, and the times for which samples are.
  static func split(
    _ selection: ServerSelection
  ) -> (usesRollup: Bool, slots: Range<Int64>?, rest: [Range<Int64>]) {
    guard let window = selection.times.first, !window.isEmpty else { return (false, nil, []) }
    guard window != SampleTimes.all else { return (true, nil, []) }
    let seconds = Int64(selection.rollup.seconds)
    let slots = SampleTimes.wholeSlots(in: window, seconds: seconds)
    let fewest = selection.isByHost ? fewestSlotsByHost : fewestSlots
    guard slots.count >= fewest else { return (false, nil, [window]) }
    return (true, slots, edges(of: window, without: slots, seconds))
  }

  /// Adds whole slots of a rollup.
  private func addRollup(
    _ statements: SeriesStatements, _ slots: Range<Int64>?, _ contents: Contents, withBins: Bool,
    to rows: inout SeriesRows
  ) throws {
    if contents.hasNumbers {
      try add(statements.sums(slots), to: &rows) { rows, bytes throws(RowBinaryReader.Damage) in
        try rows.addNumbers(bytes, haveBins: false)
      }
    }
    if contents.hasNumbers, withBins {
      try add(statements.bins(slots), to: &rows) { rows, bytes throws(RowBinaryReader.Damage) in
        try rows.addBins(bytes)
      }
    }
    if contents.hasWords {
      try addWords(statements.words(slots), rest: statements.allWords(slots), to: &rows)
    }
  }

  /// Adds samples.
  ///
  /// - Parameter shift: The bits of a double that a bin leaves out; `nil` for no bins.
  private func addSamples(
    _ statements: SeriesStatements, _ contents: Contents, shift: Int?, to rows: inout SeriesRows
  ) throws {
    if contents.hasNumbers {
      try add(statements.numbers(shift: shift), to: &rows) { rows, bytes throws(RowBinaryReader.Damage) in
        try rows.addNumbers(bytes, haveBins: shift != nil)
      }
    }
    if contents.hasWords { try addWords(statements.words, rest: statements.allWords, to: &rows) }
  }

  private static func edges(
    of window: Range<Int64>, without slots: Range<Int64>, _ seconds: Int64
  ) -> [Range<Int64>] {
    let start = SampleTimes.start(ofSlot: slots.lowerBound, seconds: seconds)
    let end = SampleTimes.start(ofSlot: slots.upperBound, seconds: seconds)
    return [
      window.lowerBound..<max(window.lowerBound, start), min(end, window.upperBound)..<window.upperBound,
    ]
    .filter { !$0.isEmpty }
  }

  private func add(
    _ statement: String, to rows: inout SeriesRows,
    _ add: (inout SeriesRows, [UInt8]) throws(RowBinaryReader.Damage) -> Void
  ) throws {
    let bytes = try reader.ask(statement)
    try reader.read { () throws(RowBinaryReader.Damage) in try add(&rows, bytes) }
  }

  private func addWords(_ statement: String, rest: String, to rows: inout SeriesRows) throws {
    let bytes = try reader.ask(statement)
    let listed = try reader.read { () throws(RowBinaryReader.Damage) in try rows.addWords(bytes) }
    guard let listed else { return }
    try add(rest, to: &rows) { rows, bytes throws(RowBinaryReader.Damage) in
      try rows.addRest(bytes, beside: listed)
    }
  }

  // MARK: Charts

  func chart(of focus: SeriesIdentity, _ query: HistoryQuery, _ all: Everything) throws -> HistoryChart {
    guard query.columns > 0, !query.window.isEmpty else { return HistoryChart() }
    let steps = Steps(query)
    var columns = steps.columns
    let times = SampleTimes.range(columns.times)
    let rows = try rows(
      selection(query.scope.host, of: focus, in: [times]), Contents([all.sums[focus].cell]),
      exponent: steps.asked)
    rows.forEach { key, cell, texts in columns.add(cell, texts, key: steps.key(key.step)) }
    return columns.chart
  }

  /// The steps of a chart, and those that statements have.
  struct Steps {
    let columns: ChartColumns
    private let exponent: Int
    /// As a power of two in seconds.
    let asked: Int

    init(_ query: HistoryQuery) {
      exponent = max(shortestStep, ChartColumns.exponent(query.window, columns: query.columns))
      columns = ChartColumns(window: query.window, exponent: exponent, narrowed: query.narrowed)
      asked = min(exponent, longestStep)
    }

    /// The number of the step of a row.
    func key(_ step: Int64) -> Int64 { step >> Int64(exponent - asked) }
  }

  /// The sums of whole steps.
  func rows(
    _ selection: ServerSelection, _ contents: Contents, exponent: Int
  ) throws -> SeriesRows {
    guard let times = selection.times.first, !times.isEmpty else { return SeriesRows(of: selection.series) }
    let rollup = selection.rollup
    let length = Int64((Double(sign: .plus, exponent: exponent, significand: 1) * 1e9).rounded())
    let statements = SeriesStatements(selection: selection, step: length)
    let usesRollup = length >= Int64(rollup.seconds) * SampleTimes.second
    let coarseness = usesRollup ? rollup.shift - SeriesRows.finestShift : 0
    var rows = SeriesRows(of: selection.series, coarseness: UInt8(coarseness), isByHost: selection.isByHost)
    if usesRollup {
      let slots = SampleTimes.slots(touching: times, seconds: Int64(rollup.seconds))
      try addRollup(statements, slots, contents, withBins: true, to: &rows)
    } else {
      try addSamples(statements, contents, shift: SeriesRows.finestShift, to: &rows)
    }
    return rows
  }

  /// The density of all samples; those of a step are spread between its first and its last one.
  func density(_ host: String?, over range: ClosedRange<Timestamp>?) throws -> TimeDensity {
    var density = TimeDensity()
    guard let range else { return density }
    let selection = selection(host, in: [SampleTimes.all])
    let slots = (range.upperBound - range.lowerBound) / Double(selection.rollup.seconds)
    let merged = Int64(max(1, (slots / Self.stripSlots).rounded(.up)))
    for statement in SeriesStatements(selection: selection).density(merging: merged) {
      let rows = try reader.rows(statement) { row throws(RowBinaryReader.Damage) in
        (try row.tally(), SampleTimes.time(try row.word()), SampleTimes.time(try row.word()))
      }
      for (count, first, last) in rows { density.record(count: count, from: first.seconds, to: last.seconds) }
    }
    return density
  }
}
