import Aggregation
import Codecs
import JSONLines
package import Platform

/// The bond between an index and its file.
package struct IndexBinding: Sendable, Equatable {
  /// Bytes of a block.
  package var blockSize: Int
  /// The bytes that are indexed, from the start on: a whole number of blocks.
  package var end: UInt64
  /// Size and time of change when it was made.
  package var size: UInt64
  package var modified: Int64
  /// The system's time of the last change to the file, which no program can set back.
  package var changed: Int64
  /// Hashes of the first 4 KiB and of the last 4 KiB before `end`.
  package var head: UInt64
  package var tail: UInt64
  /// Identifies the mapping of foreign lines; see ``key(of:)``.
  package var mapping: UInt64

  /// How many bytes are hashed at both ends.
  package static let markLength: UInt64 = 4096

  /// The binding of a file as it is now, indexed up to `end`.
  ///
  /// - Throws: the system's reason.
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

  /// A number for a mapping, 0 without one: an index made with one mapping is not valid for another.
  static func key(of mapping: LineMapping?) -> UInt64 {
    mapping.map { max(1, ContentHash.of(Array($0.text.utf8))) } ?? 0
  }

  /// True if the file is still the one, perhaps longer.
  ///
  /// A file of the same size that was changed since is another one; of a longer one the marks decide, and each block's
  /// hash when it is read.
  func fits(_ file: any HistoryBytes) -> Bool {
    guard let now = try? IndexBinding(of: file, blockSize: blockSize, end: end) else { return false }
    return now.size >= end && now.head == head && now.tail == tail && now.size >= size
      && now.mapping == mapping
      && (now.size > size || now.modified == modified)
  }

  /// True if nothing was written to the file since, so that no block has to be compared.
  func isUntouched(_ status: FileStatus) -> Bool {
    status.size == size && status.modified == modified && status.changed == changed
  }
}

/// The index of one file: what each stretch of time holds, and in which blocks of the file its samples are.
package struct HistoryIndex: Sendable {
  package let binding: IndexBinding
  /// The number of the first of its blocks.
  package let firstBlock: Int
  package let blocks: [IndexBlock]
  package let seriesTable: SeriesTable
  /// From the shortest slots to the longest.
  let levels: [IndexLevel]
  /// For each block how many lines lie before it, from the first one of the index on.
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

  /// Lines of all blocks.
  package var lines: Int { blocks.reduce(0) { $0 &+ $1.lines } }

  /// Earliest and latest time of all samples; `nil` without one.
  package var range: ClosedRange<Timestamp>? {
    let first = blocks.reduce(Timestamp.distantFuture) { min($0, $1.firstTime) }
    let last = blocks.reduce(Timestamp.distantPast) { max($0, $1.lastTime) }
    return first <= last ? first...last : nil
  }

  func rowBytes(level: Int, _ place: Int) throws(IndexFault) -> ArraySlice<UInt8> {
    try levels[level].bytes(place)
  }

  /// The blocks that hold samples of slots that overlap a stretch of time.
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
