import Aggregation
package import Platform

/// The index entry of one block of the file.
package struct IndexBlock: Sendable, Equatable {
  /// Hash of the block's own bytes.
  package var hash: UInt64
  /// Lines that begin in it, including blank and rejected ones.
  package var lines: Int
  /// Lines that could not be read.
  package var rejected: Int
  package var samples: Int
  /// Earliest and latest time of its samples; the distant future and the distant past if there are none.
  package var firstTime: Timestamp
  package var lastTime: Timestamp
}

/// Combines the tallies of blocks, in any order, in bounded memory.
///
/// Time slots are as short as the budget allows: if they would take more bytes, the step doubles and neighbours merge.
/// If the series alone exceed the budget, a few slots stay separate nevertheless, because a history needs a time axis.
/// The final content of the rows depends only on the set of samples, except for the last bits of sums.
package struct IndexBuilder: Sendable {
  /// A recently updated slot, unpacked.
  private struct OpenRow {
    let key: Int64
    var blocks: Set<Int> = []
    var cells: [Int32: IndexCell] = [:]
    var lastUse = 0
  }

  /// Base-2 logarithm of the slot step in seconds.
  package private(set) var exponent: Int
  private(set) var blocks: [Int: IndexBlock] = [:]
  private(set) var seriesTable = SeriesTable()
  /// Maximum bytes of the packed slots.
  private let budget: Int
  private var packed: [Int64: [UInt8]] = [:]
  private var packedBytes = 0
  private var open: [OpenRow] = []
  private var uses = 0

  /// Maximum number of unpacked slots: neighbours in time are in neighbouring blocks, which arrive close together.
  private static let openLimit = 8

  /// Number of slots that are not merged to save memory: fewer do not make a chart.
  private static let fewSlots = 32
  /// Maximum bytes of those few slots, whatever the budget.
  private static let fewSlotsLimit = 32 << 20

  /// - Parameters:
  ///   - exponent: base-2 logarithm of the initial step in seconds.
  ///   - budget: maximum bytes of the slots.
  package init(exponent: Int, budget: Int) {
    self.exponent = max(SlotTime.exponents.lowerBound, min(SlotTime.exponents.upperBound, exponent))
    self.budget = budget
  }

  /// Continues from an index that is valid up to its end.
  init(_ index: HistoryIndex, budget: Int) throws(IndexFault) {
    self.init(exponent: index.levels.first?.exponent ?? 0, budget: budget)
    seriesTable = index.seriesTable
    for (place, block) in index.blocks.enumerated() { blocks[index.firstBlock + place] = block }
    for place in (index.levels.first?.rows ?? []).indices {
      let bytes = try index.rowBytes(level: 0, place)
      packed[index.levels[0].rows[place].key] = Array(bytes)
      packedBytes += bytes.count
    }
  }

  /// Adds one thread's tally of a block.
  ///
  /// - Parameter numbers: the numbers of the thread's series in this builder, kept by the caller from block to block.
  mutating func merge(
    _ tally: BlockTally, of block: Int, _ facts: BlockReader.Facts, names: TallyNames, numbers: inout [Int32]
  ) throws(IndexFault) {
    for identity in names.series[numbers.count...] { numbers.append(seriesTable.add(identity)) }
    blocks[block] = IndexBlock(
      hash: facts.hash, lines: facts.lines, rejected: facts.rejected, samples: tally.samples,
      firstTime: tally.firstTime, lastTime: tally.lastTime)
    for slot in tally.slots {
      let place = try openRow(slot.key >> Int64(exponent - tally.exponent))
      open[place].blocks.insert(block)
      for (local, cell) in zip(slot.series, slot.cells) {
        let series = numbers[Int(local)]
        var known: [Int: Int] = [:]
        for text in cell.texts {
          known[text.number] = seriesTable.number(of: names.texts[local]?[text.number] ?? "", series: series)
        }
        open[place].cells[series, default: IndexCell()].merge(cell) { $0 == 0 ? 0 : known[$0] ?? 0 }
      }
    }
    try keepToBudget()
  }

  /// The index of a slot among the open ones; it is unpacked or created if necessary.
  private mutating func openRow(_ key: Int64) throws(IndexFault) -> Int {
    uses += 1
    if let known = open.firstIndex(where: { $0.key == key }) {
      open[known].lastUse = uses
      return known
    }
    if open.count >= Self.openLimit,
      let oldest = open.indices.min(by: { open[$0].lastUse < open[$1].lastUse })
    {
      pack(open.remove(at: oldest))
    }
    var row = OpenRow(key: key, lastUse: uses)
    if let bytes = packed.removeValue(forKey: key) {
      packedBytes -= bytes.count
      try Self.add(bytes, to: &row)
    }
    open.append(row)
    return open.count - 1
  }

  private static func add(_ bytes: [UInt8], to row: inout OpenRow) throws(IndexFault) {
    let packed = try PackedRow(bytes[...])
    row.blocks.formUnion(packed.blocks)
    try packed.forEach(withHistogram: true) { series, cell in
      row.cells[series, default: IndexCell()].merge(cell)
    }
  }

  private mutating func pack(_ row: OpenRow) {
    let cells = row.cells.sorted { $0.key < $1.key }.map { (series: $0.key, cell: $0.value) }
    let bytes = PackedRow.pack(blocks: row.blocks.sorted(), cells: cells)
    packed[row.key] = bytes
    packedBytes += bytes.count
  }

  private mutating func keepToBudget() throws(IndexFault) {
    while packedBytes > allowance, exponent < SlotTime.exponents.upperBound, canMerge {
      for row in open { pack(row) }
      open = []
      try coarsen()
    }
  }

  private var allowance: Int {
    packed.count + open.count > Self.fewSlots ? budget : max(budget, Self.fewSlotsLimit)
  }

  /// True if a longer step can save anything; slots before 2001 never merge with those after it.
  private var canMerge: Bool {
    let keys = open.map(\.key) + packed.keys
    let before = keys.reduce(0) { $1 < 0 ? $0 + 1 : $0 }
    return max(before, keys.count - before) > 1
  }

  /// Doubles the step.
  private mutating func coarsen() throws(IndexFault) {
    exponent += 1
    let old = packed
    (packed, packedBytes) = ([:], 0)
    for key in old.keys.sorted() where key & 1 == 0 || old[key - 1] == nil {
      var row = OpenRow(key: key >> 1)
      for half in [old[key], key & 1 == 0 ? old[key + 1] : nil].compactMap({ $0 }) {
        try Self.add(half, to: &row)
      }
      pack(row)
    }
  }

  /// The index of the given blocks, all of which must have been added.
  package mutating func finish(_ numbers: Range<Int>, binding: IndexBinding) throws(IndexFault)
    -> HistoryIndex
  {
    for row in open { pack(row) }
    open = []
    let known = numbers.compactMap { blocks[$0] }
    guard known.count == numbers.count else { throw .damaged }
    var levels = [takeBase()]
    while let last = levels.last, last.rows.count > IndexLevel.fewRows,
      last.exponent < SlotTime.exponents.upperBound
    {
      levels.append(try last.coarser())
    }
    return HistoryIndex(
      binding: binding, firstBlock: numbers.lowerBound, blocks: known, seriesTable: seriesTable,
      levels: levels)
  }

  /// The shortest slots, moved out of the builder one at a time, so that none is in memory twice.
  private mutating func takeBase() -> IndexLevel {
    var rows: [IndexLevel.Row] = []
    var bytes: [UInt8] = []
    bytes.reserveCapacity(packedBytes)
    for key in packed.keys.sorted() {
      guard let row = packed.removeValue(forKey: key) else { continue }
      rows.append(
        IndexLevel.Row(key: key, offset: bytes.count, count: row.count, hash: IndexLevel.hash(row[...])))
      bytes += row
    }
    packedBytes = 0
    return IndexLevel(exponent: exponent, rows: rows, storage: .memory(bytes))
  }
}
