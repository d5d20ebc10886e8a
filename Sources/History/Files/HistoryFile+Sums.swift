package import Aggregation
import JSONLines
package import Platform

/// Sums of series in a window, from indexes and individual samples.
package struct SeriesSums: Sendable {
  /// The sum of one series; its text numbers refer to `texts`.
  package struct Sum: Sendable {
    package var cell = IndexCell()
    package var texts = TextTable()

    package init() {}

    /// Texts in descending order of count, including bools as `true` and `false`.
    package var values: [TextShare] {
      var counts = cell.texts.map { (texts[$0.number], $0.count) }
      if cell.trues > 0 { counts.append(("true", cell.trues)) }
      if cell.falses > 0 { counts.append(("false", cell.falses)) }
      let all = counts.reduce(0) { $0 + $1.1 }
      return counts.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map {
        TextShare(text: $0.0, count: $0.1, share: Double($0.1) / Double(max(1, all)))
      }
    }

    /// Number of samples with a value; `nil` means any value.
    package func count(of value: String?) -> Int {
      guard let value else { return cell.count }
      var count = value == "true" ? cell.trues : value == "false" ? cell.falses : 0
      let kept = TextTable.cut(value)
      for text in cell.texts where texts[text.number] == kept { count &+= text.count }
      return count
    }
  }

  package private(set) var series: [SeriesIdentity: Sum] = [:]

  package init() {}

  package subscript(identity: SeriesIdentity) -> Sum { series[identity] ?? Sum() }

  /// Adds samples of a series.
  package mutating func add(_ cell: IndexCell, of identity: SeriesIdentity, texts table: TextTable) {
    series[identity, default: Sum()].add(cell, table)
  }

  /// Merges the sums of another part of the history.
  package mutating func merge(_ other: SeriesSums) {
    // Most histories are a single file, whose sums are not copied.
    if series.isEmpty { return self = other }
    for (identity, sum) in other.series { add(sum.cell, of: identity, texts: sum.texts) }
  }

  mutating func add(_ tally: BlockTally, _ names: TallyNames) {
    for slot in tally.slots {
      for (local, cell) in zip(slot.series, slot.cells) {
        add(cell, of: names.series[Int(local)], texts: names.texts[local] ?? TextTable())
      }
    }
  }
}

extension SeriesSums.Sum {
  mutating func record(_ value: SeriesValue, at time: Timestamp) {
    // A local copy, so that `cell` and `texts` can change together.
    var texts = texts
    cell.record(value, at: time) { texts.number(of: $0, allowNew: true) }
    self.texts = texts
  }

  mutating func add(_ other: IndexCell, _ table: TextTable) {
    guard !other.texts.isEmpty else { return cell.merge(other) }
    var texts = texts
    cell.merge(other) { $0 == 0 ? 0 : texts.number(of: table[$0], allowNew: true) }
    self.texts = texts
  }
}

/// The wanted series, and the need for their histograms.
package enum SumScope: Sendable {
  /// All series, without histograms.
  case all
  /// All series, with histograms.
  case allWithHistograms
  case one(SeriesIdentity)

  fileprivate var needsHistograms: Bool {
    if case .all = self { false } else { true }
  }
}

extension HistoryFile {
  /// Sums of series in a window: whole slots from the index, the rest from the samples of a few blocks.
  ///
  /// - Throws: `IndexFault` if the index is damaged, otherwise the system error.
  package func sums(in window: Range<Timestamp>, _ scope: SumScope) throws -> SeriesSums {
    var sums = SeriesSums()
    guard !window.isEmpty else { return sums }
    for segment in segments {
      // A segment that lies entirely in the window needs no closer look.
      let base = segment.levels.first?.exponent ?? 0
      let covered =
        segment.range.map { window.lowerBound <= $0.lowerBound && window.upperBound > $0.upperBound } ?? true
      let keys = covered ? Int64.min / 4..<Int64.max / 4 : SlotTime.wholeKeys(in: window, exponent: base)
      try segment.addSlots(keys, scope, to: &sums)
      guard !covered else { continue }
      for part in Self.parts(of: window, without: keys, exponent: base) {
        for number in try segment.blocks(in: part) { try add(try block(number), part, scope, to: &sums) }
      }
    }
    for number in looseBlocks { try add(try block(number), window, scope, to: &sums) }
    return sums
  }

  /// The parts of a window outside its whole slots.
  private static func parts(
    of window: Range<Timestamp>, without keys: Range<Int64>, exponent: Int
  ) -> [Range<Timestamp>] {
    guard !keys.isEmpty else { return [window] }
    let start = SlotTime.start(of: keys.lowerBound, exponent: exponent)
    let end = SlotTime.start(of: keys.upperBound, exponent: exponent)
    return [
      window.lowerBound..<max(window.lowerBound, start), min(end, window.upperBound)..<window.upperBound,
    ]
    .filter { !$0.isEmpty }
  }

  /// Adds the samples of a block that lie in a window.
  private func add(
    _ block: DecodedBlock, _ window: Range<Timestamp>, _ scope: SumScope, to sums: inout SeriesSums
  ) throws {
    guard case .one(let identity) = scope else {
      var tally = BlockTally(exponent: SlotTime.exponents.upperBound, withHistograms: scope.needsHistograms)
      var names = TallyNames()
      tally.add(block.batch, block.catalogue, names: &names, window: window)
      return sums.add(tally, names)
    }
    var sum = SeriesSums.Sum()
    block.forEachValue(of: identity, in: window) { _, time, value in sum.record(value, at: time) }
    if sum.cell.count > 0 { sums.add(sum.cell, of: identity, texts: sum.texts) }
  }
}

extension IndexCell {
  /// Records a value of any kind.
  mutating func record(_ value: SeriesValue, at time: Timestamp, number: (String) -> Int) {
    note(time)
    switch value {
    case .number(let value) where value.isFinite: record(number: value, at: time)
    case .number, .null: nulls &+= 1
    case .bool(true): trues &+= 1
    case .bool(false): falses &+= 1
    case .text(let text): record(text: number(text))
    }
  }
}

extension DecodedBlock {
  /// Calls `body` for each sample of a series in a window, with its index among the block's samples, its time and value.
  func forEachValue(
    of identity: SeriesIdentity, in window: Range<Timestamp>, _ body: (Int, Timestamp, SeriesValue) -> Void
  ) {
    let metric = MetricIdentity(bucket: identity.bucket, name: identity.name, typeName: identity.typeName)
    guard let number = self.metric(metric) else { return }
    let role = PayloadRole(metric)
    for (place, sample) in batch.samples.enumerated() where sample.metric == number {
      let time = sample.time.clamped
      guard time >= window.lowerBound, time < window.upperBound else { continue }
      if identity.field == nil, sample.kind == .number {
        body(place, time, .number(sample.value))
        continue
      }
      SampleValues.forEachOfSeries(of: sample, in: batch, role) { field, value in
        if field == identity.field { body(place, time, value) }
      }
    }
  }
}

extension HistoryIndex {
  /// Adds whole slots of the shortest length, using longer ones where they fit entirely.
  fileprivate func addSlots(_ keys: Range<Int64>, _ scope: SumScope, to sums: inout SeriesSums)
    throws(IndexFault)
  {
    var wanted = Wanted(scope, seriesTable)
    guard wanted.isAny else { return }
    try addSlots(level: 0, keys, &wanted)
    for (number, cell) in wanted.cells where cell.count > 0 {
      sums.add(cell, of: seriesTable.identities[Int(number)], texts: seriesTable.texts(of: number))
    }
  }

  private func addSlots(level: Int, _ keys: Range<Int64>, _ wanted: inout Wanted) throws(IndexFault) {
    guard !keys.isEmpty, levels.indices.contains(level) else { return }
    let width = Int64(1) << Int64(IndexLevel.stride)
    // An arithmetic shift rounds down, even for times before 2001.
    let inner =
      (keys.lowerBound + width - 1)
      >> Int64(IndexLevel.stride)..<max(
        (keys.lowerBound + width - 1) >> Int64(IndexLevel.stride), keys.upperBound >> Int64(IndexLevel.stride)
      )
    guard level + 1 < levels.count, !inner.isEmpty else { return try add(levels[level], keys, &wanted) }
    try add(levels[level], keys.lowerBound..<inner.lowerBound << Int64(IndexLevel.stride), &wanted)
    try addSlots(level: level + 1, inner, &wanted)
    try add(levels[level], inner.upperBound << Int64(IndexLevel.stride)..<keys.upperBound, &wanted)
  }

  private func add(_ level: IndexLevel, _ keys: Range<Int64>, _ wanted: inout Wanted) throws(IndexFault) {
    try level.forEachRow(level.places(keys)) { _, row throws(IndexFault) in try wanted.add(row) }
  }

  /// The cells being summed, by series number.
  private struct Wanted {
    private(set) var cells: [Int32: IndexCell] = [:]
    private let one: Int32?
    private let withHistogram: Bool
    let isAny: Bool

    init(_ scope: SumScope, _ seriesTable: SeriesTable) {
      switch scope {
      case .all: (one, withHistogram, isAny) = (nil, false, true)
      case .allWithHistograms: (one, withHistogram, isAny) = (nil, true, true)
      case .one(let identity):
        one = seriesTable.number(of: identity)
        (withHistogram, isAny) = (true, one != nil)
      }
    }

    mutating func add(_ row: PackedRow) throws(IndexFault) {
      if let one {
        if let cell = try row.cell(of: one) { cells[one, default: IndexCell()].merge(cell) }
        return
      }
      var cells = cells
      self.cells = [:]
      defer { self.cells = cells }
      try row.forEach(withHistogram: withHistogram) { series, cell in
        cells[series, default: IndexCell()].merge(cell)
      }
    }
  }
}
