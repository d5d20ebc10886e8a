package import Aggregation
package import Platform

extension HistoryStore {
  /// Maximum number of blocks read for one chart; above that, steps are as long as the slots of the index.
  private static let blockLimit = 12
  /// The same limit for the finer chart that follows an answer.
  private static let patientBlockLimit = 160

  /// The chart of a series, with steps as short as the columns allow.
  func chart(of focus: SeriesIdentity, _ query: HistoryQuery) throws -> HistoryChart {
    guard query.columns > 0, !query.window.isEmpty else { return HistoryChart() }
    let wanted = ChartColumns.exponent(query.window, columns: query.columns)
    let slots = files.flatMap(\.segments).compactMap { $0.levels.first?.exponent }.max() ?? wanted
    if wanted < slots {
      let window = Self.whole(query.window, wanted)
      let blocks = try Self.blocks(of: files, in: window)
      if blocks.count <= Self.blockLimit {
        return try chart(focus, query, wanted, of: blocks) { true } ?? HistoryChart()
      }
      var chart = try chartOfSlots(focus, query, exponent: max(wanted, slots), files: files)
      chart.canBeFiner = blocks.count <= Self.patientBlockLimit
      return chart
    }
    return try chartOfSlots(focus, query, exponent: max(wanted, slots), files: files)
  }

  /// The chart of a series in some of the files, over the steps of another chart for the same query.
  func chart(
    of focus: SeriesIdentity, _ query: HistoryQuery, files: [HistoryFile], like other: HistoryChart
  ) throws -> HistoryChart {
    guard !other.columns.isEmpty else { return HistoryChart() }
    let exponent = Int(other.step.exponent)
    let slots = files.flatMap(\.segments).compactMap { $0.levels.first?.exponent }.max() ?? exponent
    // The other chart was read from its few blocks, or from slots that are all short enough.
    guard exponent < slots else { return try chartOfSlots(focus, query, exponent: exponent, files: files) }
    let blocks = try Self.blocks(of: files, in: Self.whole(query.window, exponent))
    return try chart(focus, query, exponent, of: blocks) { true } ?? HistoryChart()
  }

  private static func blocks(
    of files: [HistoryFile], in window: Range<Timestamp>
  ) throws -> [(HistoryFile, Int)] {
    try files.flatMap { file in try file.blocks(in: window).map { (file, $0) } }
  }

  /// The answer with the finer charts it can have; unchanged if it has none or reading was stopped.
  ///
  /// - Parameter goesOn: called before each block; returns false to stop. Reading may take a second.
  package func refined(_ answer: HistoryAnswer, while goesOn: () -> Bool = { true }) throws -> HistoryAnswer {
    guard answer.chart.canBeFiner, let chart = try finerChart(answer.query, while: goesOn) else {
      return answer
    }
    var finer = answer
    finer.chart = chart
    for pin in answer.query.pins {
      if let chart = try finerChart(answer.query.pinned(pin), while: goesOn) { finer.pins[pin] = chart }
    }
    return finer
  }

  /// The chart of a query in the requested steps, read block by block.
  ///
  /// - Parameter goesOn: called before each block; returns false to stop. Reading may take a second.
  /// - Returns: `nil` if there is no focus or reading was stopped.
  package func finerChart(_ query: HistoryQuery, while goesOn: () -> Bool) throws -> HistoryChart? {
    guard let focus = query.focus else { return nil }
    let files = files(of: query.scope)
    let wanted = ChartColumns.exponent(query.window, columns: query.columns)
    let window = Self.whole(query.window, wanted)
    let blocks = try Self.blocks(of: files, in: window)
    return try chart(focus, query, wanted, of: blocks, while: goesOn)
  }

  private func chart(
    _ focus: SeriesIdentity, _ query: HistoryQuery, _ exponent: Int, of blocks: [(HistoryFile, Int)],
    while goesOn: () -> Bool
  ) throws -> HistoryChart? {
    var columns = ChartColumns(window: query.window, exponent: exponent, narrowed: query.narrowed)
    for (file, number) in blocks {
      guard goesOn() else { return nil }
      columns.add(try file.block(number), focus)
    }
    return columns.chart
  }

  private func chartOfSlots(
    _ focus: SeriesIdentity, _ query: HistoryQuery, exponent: Int, files: [HistoryFile]
  ) throws -> HistoryChart {
    var columns = ChartColumns(window: query.window, exponent: exponent, narrowed: query.narrowed)
    for file in files {
      for segment in file.segments {
        guard let series = segment.seriesTable.number(of: focus),
          let level = segment.levels.last(where: { $0.exponent <= exponent })
        else { continue }
        let steps = Int64(exponent - level.exponent)
        let texts = segment.seriesTable.texts(of: series)
        let places = level.places(columns.keys.lowerBound << steps..<columns.keys.upperBound << steps)
        try level.forEachRow(places) { row, packed throws(IndexFault) in
          guard let cell = try packed.cell(of: series) else { return }
          columns.add(cell, texts, key: row.key >> steps)
        }
      }
      for number in file.looseBlocks { columns.add(try file.block(number), focus) }
    }
    return columns.chart
  }

  private static func whole(_ window: Range<Timestamp>, _ exponent: Int) -> Range<Timestamp> {
    let keys = ChartColumns.keys(of: window, exponent)
    return SlotTime.start(
      of: keys.lowerBound, exponent: exponent)..<SlotTime.start(of: keys.upperBound, exponent: exponent)
  }
}

extension HistoryQuery {
  /// The query for the chart of a pin.
  package func pinned(_ identity: SeriesIdentity) -> HistoryQuery {
    var query = HistoryQuery(window: window, focus: identity, columns: columns, playhead: playhead)
    query.scope = scope
    return query
  }
}

/// The steps of a chart under construction.
package struct ChartColumns {
  /// The numbers of the steps.
  package let keys: Range<Int64>
  private let exponent: Int
  private let narrowed: String?
  private var sums: [SeriesSums.Sum?]

  /// - Parameter exponent: the length of a step, as a power of two in seconds.
  package init(window: Range<Timestamp>, exponent: Int, narrowed: String?) {
    keys = Self.keys(of: window, exponent)
    self.exponent = exponent
    self.narrowed = narrowed
    sums = Array(repeating: nil, count: keys.count)
  }

  /// The shortest step for which at most `columns` steps touch the window, as a power of two in seconds.
  package static func exponent(_ window: Range<Timestamp>, columns: Int) -> Int {
    SlotTime.exponents.first { keys(of: window, $0).count <= columns } ?? SlotTime.exponents.upperBound
  }

  /// The numbers of the steps that touch a window.
  static func keys(of window: Range<Timestamp>, _ exponent: Int) -> Range<Int64> {
    let first = SlotTime.key(of: window.lowerBound, exponent: exponent)
    let last = SlotTime.key(of: window.upperBound, exponent: exponent)
    let ends = SlotTime.start(of: last, exponent: exponent) < window.upperBound.clamped
    return first..<max(first + 1, last + (ends ? 1 : 0))
  }

  /// The time that the steps cover.
  package var times: Range<Timestamp> {
    let start = SlotTime.start(of: keys.lowerBound, exponent: exponent)
    return start..<SlotTime.start(of: keys.upperBound, exponent: exponent)
  }

  /// Adds samples of a step.
  package mutating func add(_ cell: IndexCell, _ texts: TextTable, key: Int64) {
    guard keys.contains(key) else { return }
    let place = Int(key - keys.lowerBound)
    var sum = sums[place] ?? SeriesSums.Sum()
    sum.add(cell, texts)
    sums[place] = sum
  }

  mutating func add(_ block: DecodedBlock, _ focus: SeriesIdentity) {
    block.forEachValue(of: focus, in: times) { _, time, value in
      let place = Int(SlotTime.key(of: time, exponent: exponent) - keys.lowerBound)
      guard sums.indices.contains(place) else { return }
      if sums[place] == nil { sums[place] = SeriesSums.Sum() }
      sums[place]?.record(value, at: time)
    }
  }

  package var chart: HistoryChart {
    var chart = HistoryChart()
    chart.step = SlotTime.step(exponent)
    chart.firstKey = keys.lowerBound
    chart.columns = sums.map { sum in sum.flatMap { HistoryColumn($0, narrowed: narrowed) } }
    if narrowed == nil, sums.contains(where: { $0?.cell.texts.isEmpty == false }) {
      chart.texts = TextColumns(sums.map { $0?.textCounts ?? [] })
    }
    return chart
  }
}

extension SeriesSums.Sum {
  fileprivate var textCounts: [TextColumns.Count] {
    cell.texts.map { TextColumns.Count(text: $0.number == 0 ? nil : texts[$0.number], count: $0.count) }
  }
}

extension HistoryColumn {
  /// `nil` if there is no sample, or none with the narrowed value.
  fileprivate init?(_ sum: SeriesSums.Sum, narrowed: String?) {
    let (cell, count) = (sum.cell, sum.count(of: narrowed))
    guard count > 0 else { return nil }
    let bools = cell.trues &+ cell.falses
    if cell.numbers > 0, narrowed == nil {
      let spread = ValueSpread(cell.quantiles(ValueSpread.percentiles)) ?? ValueSpread(cell.mean ?? 0)
      self.init(
        count: count, numbers: cell.numbers, minimum: cell.minimum, maximum: cell.maximum,
        mean: cell.mean ?? 0, spread: spread, firstTime: cell.firstTime, lastTime: cell.lastTime)
    } else if bools > 0, narrowed == nil {
      let share = Double(cell.trues) / Double(bools)
      self.init(
        count: count, numbers: bools, minimum: cell.falses > 0 ? 0 : 1, maximum: cell.trues > 0 ? 1 : 0,
        mean: share, spread: ValueSpread(share >= 0.5 ? 1 : 0), firstTime: cell.firstTime,
        lastTime: cell.lastTime)
      areBools = true
    } else {
      self.init(
        count: count, numbers: 0, minimum: 0, maximum: 0, mean: 0, spread: ValueSpread(0),
        firstTime: cell.firstTime, lastTime: cell.lastTime)
    }
  }
}
