package import Aggregation
import Essentials
package import JSONLines
import Platform

/// The older, indexed part of a file: what a series store needs of it, without reading it.
package struct HistoryPast: Sendable {
  /// Maximum number of blocks that are read anyway: those that share slots with samples read individually, and those
  /// with rejected lines, which the user may want to see.
  private static let blockLimit = 8

  /// End of the part that need not be read.
  package let end: UInt64
  /// Lines before `end`.
  package let lines: Int

  private let bytes: any HistoryBytes
  private let index: HistoryIndex
  /// Slots before this one, of the shortest length, hold only samples of the older part.
  private let key: Int64
  private let late: [Int]
  private let rejected: [Int]

  /// The part of a file before an offset; `nil` without a valid index, or if its samples are too scattered in time.
  package init?(
    of path: String, mapping: LineMapping? = nil, before limit: UInt64, cache: IndexCache,
    blockSize: Int = HistoryFile.blockSize
  ) {
    guard let bytes = try? OpenFile(path: path, mapping: mapping),
      let index = try? cache.load(for: bytes, blockSize: blockSize)
    else {
      return nil
    }
    self.init(of: bytes, index, before: limit)
  }

  package init?(of bytes: any HistoryBytes, _ index: HistoryIndex, before limit: UInt64) {
    let count = min(index.blocks.count, Int(limit / UInt64(index.binding.blockSize)))
    guard count > 0, let exponent = index.levels.first?.exponent else { return nil }
    let (older, newer) = (index.blocks[..<count], index.blocks[count...])
    // The first time that is read sample by sample; all slots before it belong to the older part.
    let first = newer.reduce(Timestamp.distantFuture) { min($0, $1.firstTime) }
    let last = older.reduce(Timestamp.distantPast) { max($0, $1.lastTime) }
    guard last.seconds.isFinite else { return nil }
    key = SlotTime.key(of: min(first, last.nextUp), exponent: exponent)
    let start = SlotTime.start(of: key, exponent: exponent)
    late = older.indices.filter { older[$0].lastTime >= start }
    rejected = older.indices.filter { older[$0].rejected > 0 && older[$0].lastTime < start }
    guard late.count + rejected.count <= Self.blockLimit else { return nil }
    end = UInt64(count) * UInt64(index.binding.blockSize)
    lines = older.reduce(0) { $0 &+ $1.lines }
    (self.bytes, self.index) = (bytes, index)
  }

  /// True if the file has a metric in a bucket.
  package func hasMetrics(in bucket: String) -> Bool {
    index.seriesTable.identities.contains { $0.bucket == bucket }
  }

  /// Recognized formats of other programs' lines.
  package var formats: Set<ForeignFormat> {
    Set(index.seriesTable.identities.compactMap { ForeignFormat(typeName: $0.typeName) })
  }

  /// The content of the part as a store without individual samples, and its rejected lines.
  ///
  /// - Throws: `IndexFault` if the index is damaged, otherwise the system error.
  package func store(limits: SeriesStore.Limits) throws -> (store: SeriesStore, rejections: RejectionLog) {
    var store = SeriesStore(limits: limits)
    try index.forEachSlot(before: key) { row throws(IndexFault) in
      try row.forEach(withHistogram: true) { series, cell in store.take(cell, of: series, index.seriesTable) }
    }
    var log = RejectionLog()
    let exponent = index.levels.first?.exponent ?? 0
    let start = SlotTime.start(of: key, exponent: exponent)
    var (next, lines) = (0, 0)
    for number in (late + rejected).sorted() {
      // A separate reader, so that its rejections are those of the block.
      let reader = BlockReader(blockSize: index.binding.blockSize)
      let block = try reader.decode(number, of: bytes, countsHalfLine: false)
      guard block.hash == index.blocks[number].hash else { throw IndexFault.otherFile }
      block.record(start ..< .distantFuture, into: &store)
      for before in index.blocks[next..<number] { lines &+= before.lines }
      log.append(reader.rejections, linesBefore: lines)
      next = number
    }
    return (store, log)
  }
}

extension SeriesStore {
  fileprivate mutating func take(_ cell: IndexCell, of number: Int32, _ seriesTable: SeriesTable) {
    take(cell, seriesTable.texts(of: number), of: seriesTable.identities[Int(number)])
  }

  /// Adds samples that are known only by their sums.
  package mutating func take(_ cell: IndexCell, _ table: TextTable, of identity: SeriesIdentity) {
    let part = SeriesPart(
      firstTime: cell.firstTime.seconds, lastTime: cell.lastTime.seconds, numbers: cell.numbers,
      sum: cell.sum,
      minimum: cell.minimum, maximum: cell.maximum, sketch: cell.sketch, nulls: cell.nulls, trues: cell.trues,
      falses: cell.falses, texts: cell.texts.map { (table[$0.number], $0.count) })
    take(part, of: series(for: identity, at: cell.lastTime.seconds))
  }
}

extension HistoryIndex {
  /// Number of slots per level that suffices: a store has room for some dozens of slots per series.
  private static let enoughSlots = 128

  /// Calls `body` with slots that together cover everything before a key of the shortest, using long slots where possible.
  fileprivate func forEachSlot(before key: Int64, _ body: (PackedRow) throws(IndexFault) -> Void)
    throws(IndexFault)
  {
    let top = levels.lastIndex { $0.rows.count >= Self.enoughSlots } ?? 0
    var done = Int64.min
    for (place, level) in levels.enumerated().reversed() where place <= top {
      let steps = Int64(level.exponent - levels[0].exponent)
      let (first, end) = (done == .min ? Int64.min / 4 : done >> steps, key >> steps)
      guard first < end else { continue }
      try level.forEachRow(level.places(first..<end)) { _, row throws(IndexFault) in try body(row) }
      done = end << steps
    }
  }
}
