import Aggregation
import Codecs
import JSONLines
package import Platform

/// Ties an index to the state of its file.
package struct IndexBinding: Sendable, Equatable {
  /// Bytes per block.
  package var blockSize: Int
  /// Length of the indexed part in bytes, from the start: a whole number of blocks.
  package var end: UInt64
  /// Size and modification time when the index was made.
  package var size: UInt64
  package var modified: Int64
  /// The system's time of the last change to the file, which no program can set back.
  package var changed: Int64
  /// Hashes of the first 4 KiB and of the last 4 KiB before `end`.
  package var head: UInt64
  package var tail: UInt64
  /// Identifies the mapping of foreign lines; see ``key(of:)``.
  package var mapping: UInt64

  /// Number of bytes hashed at each end.
  package static let markLength: UInt64 = 4096

  /// The binding of a file in its current state, indexed up to `end`.
  ///
  /// - Throws: the system error.
  package init(of file: any HistoryBytes, blockSize: Int, end: UInt64) throws {
    let status = try file.status
    (size, modified, changed) = (status.size, status.modified, status.changed)
    (self.blockSize, self.end) = (blockSize, end)
    mapping = Self.key(of: file.mapping)
    head = ContentHash.of(try file.bytes(0..<min(end, Self.markLength)))
    tail = ContentHash.of(try file.bytes(end - min(end, Self.markLength)..<end))
  }

  init(
    blockSize: Int, end: UInt64, size: UInt64, modified: Int64, changed: Int64, head: UInt64, tail: UInt64,
    mapping: UInt64 = 0
  ) {
    (self.blockSize, self.end, self.size) = (blockSize, end, size)
    (self.modified, self.changed, self.head, self.tail) = (modified, changed, head, tail)
    self.mapping = mapping
  }

  /// Identifies a mapping, 0 for none: an index made with one mapping is not valid for another.
  static func key(of mapping: LineMapping?) -> UInt64 {
    mapping.map { max(1, ContentHash.of(Array($0.text.utf8))) } ?? 0
  }

  /// True if the file is still the indexed one, possibly longer.
  ///
  /// A file of the same size with another modification time is a different one. For a longer file the hashes of both
  /// ends decide, and the hash of each block when it is read.
  func fits(_ file: any HistoryBytes) -> Bool {
    guard let now = try? IndexBinding(of: file, blockSize: blockSize, end: end) else { return false }
    return now.size >= end && now.head == head && now.tail == tail && now.size >= size
      && now.mapping == mapping
      && (now.size > size || now.modified == modified)
  }

  /// True if the file was not written to since, so that no block has to be compared.
  func isUntouched(_ status: FileStatus) -> Bool {
    status.size == size && status.modified == modified && status.changed == changed
  }
}

/// The index of one file: the content of each time slot, and the blocks that hold its samples.
package struct HistoryIndex: Sendable {
  package let binding: IndexBinding
  /// Number of its first block.
  package let firstBlock: Int
  package let blocks: [IndexBlock]
  package let seriesTable: SeriesTable
  /// From shortest to longest slots.
  let levels: [IndexLevel]
  /// Number of lines before each block, from the first block of the index on.
  let linesBefore: [Int]

  init(
    binding: IndexBinding, firstBlock: Int = 0, blocks: [IndexBlock], seriesTable: SeriesTable,
    levels: [IndexLevel]
  ) {
    self.binding = binding
    self.firstBlock = firstBlock
    self.blocks = blocks
    self.seriesTable = seriesTable
    self.levels = levels
    var lines = 0
    linesBefore = blocks.map { block in
      defer { lines &+= block.lines }
      return lines
    }
  }

  /// Number of lines in all blocks.
  package var lines: Int { blocks.reduce(0) { $0 &+ $1.lines } }

  /// Earliest and latest time of all samples; `nil` if there are none.
  package var range: ClosedRange<Timestamp>? {
    let first = blocks.reduce(Timestamp.distantFuture) { min($0, $1.firstTime) }
    let last = blocks.reduce(Timestamp.distantPast) { max($0, $1.lastTime) }
    return first <= last ? first...last : nil
  }

  func rowBytes(level: Int, _ place: Int) throws(IndexFault) -> ArraySlice<UInt8> {
    try levels[level].bytes(place)
  }

  /// The blocks that may hold samples of a time range, ascending.
  func blocks(in window: Range<Timestamp>) throws(IndexFault) -> [Int] {
    guard let base = levels.first, !window.isEmpty else { return [] }
    let first = SlotTime.key(of: window.lowerBound, exponent: base.exponent)
    let last = SlotTime.key(of: window.upperBound, exponent: base.exponent)
    var found: Set<Int> = []
    try base.forEachRow(base.places(first..<last + 1)) { _, row throws(IndexFault) in
      found.formUnion(row.blocks)
    }
    return found.filter { number in
      block(number).map { $0.firstTime < window.upperBound && $0.lastTime >= window.lowerBound } ?? false
    }.sorted()
  }

  /// The entry of a block, by its number in the file.
  package func block(_ number: Int) -> IndexBlock? {
    let place = number - firstBlock
    return blocks.indices.contains(place) ? blocks[place] : nil
  }
}
