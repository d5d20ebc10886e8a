import Aggregation
import Codecs
import Essentials
import JSONLines
import Platform

/// One file of a history: its index, and the content after its end.
///
/// Confined to one thread. The file is held open, so that all answers are about one file, even if its name changes.
package final class HistoryFile {
  /// Bytes per block.
  package static let blockSize = 1 << 20

  /// The file's name as the user knows it, and the path to open.
  package let name: String
  package let path: String
  package let bytes: any HistoryBytes
  package let blockSize: Int
  /// Consecutive indexes: the first one is kept in the cache, later ones cover what was appended since.
  package private(set) var segments: [HistoryIndex] = []
  /// Size in bytes at the last refresh.
  package private(set) var size: UInt64 = 0
  /// The number of blocks read from the file, for statistics.
  package private(set) var blocksRead = 0
  /// Faults found, as text; cleared by the code that reports them.
  package var notes: [String] = []
  /// True if a block was found that differs from the index.
  package private(set) var isStale = false

  private let countsHalfLine: Bool
  private let reader: BlockReader
  private let cache: BlockCache
  private var numberInCache: Int
  /// Time of the last change to the file, as of the last refresh.
  private var changed: Int64 = 0
  /// Size when the comparison of the blocks began.
  private var sizeAtCheck: UInt64 = 0

  /// - Parameters:
  ///   - cache: the cache for decoded blocks, shared with other files.
  ///   - countsHalfLine: true if a complete last line without a newline counts, as in a file that is read once.
  package init(
    name: String, path: String, bytes: any HistoryBytes, blockSize: Int = HistoryFile.blockSize,
    countsHalfLine: Bool = false, cache: BlockCache = BlockCache()
  ) {
    self.cache = cache
    numberInCache = cache.newFile()
    self.name = name
    self.path = path
    self.bytes = bytes
    self.blockSize = blockSize
    self.countsHalfLine = countsHalfLine
    reader = BlockReader(blockSize: blockSize)
    if let status = try? bytes.status { (size, changed) = (status.size, status.changed) }
    sizeAtCheck = size
  }

  private func key(_ number: Int) -> BlockCache.Key { BlockCache.Key(file: numberInCache, number: number) }

  /// End of the indexed part, in bytes.
  package var indexedEnd: UInt64 { segments.last?.binding.end ?? 0 }

  /// Numbers of the blocks without an index; the last one may be partial.
  package var looseBlocks: Range<Int> {
    let first = Int(indexedEnd / UInt64(blockSize))
    let end = Int((size + UInt64(blockSize) - 1) / UInt64(blockSize))
    return first..<max(first, end)
  }

  /// Numbers of the blocks that could be indexed: those whose last line is complete.
  package var indexableBlocks: Range<Int> {
    let first = looseBlocks.lowerBound
    return first..<max(first, Int(wholeEnd / UInt64(blockSize)))
  }

  /// End of the last complete line in the file.
  var wholeEnd: UInt64 {
    if let known = bytes.wholeEnd { return max(known, indexedEnd) }
    var end = size
    while end > indexedEnd {
      let start = end - min(end, 1 << 12)
      guard let bytes = try? bytes.bytes(start..<end) else { return indexedEnd }
      if let newline = bytes.lastIndex(of: 0x0A) { return start + UInt64(newline) + 1 }
      end = start
    }
    return indexedEnd
  }

  /// Adopts an index of the first blocks, or of the blocks after those already indexed.
  package func adopt(_ index: HistoryIndex) {
    if index.firstBlock == 0 { segments = [index] } else { segments.append(index) }
  }

  /// Discards all indexes.
  package func forgetIndex() {
    segments = []
    isStale = false
    checkAnew()
    numberInCache = cache.newFile()
  }

  /// Updates the size of the file.
  ///
  /// - Returns: true if the file grew; `nil` if it was truncated or may have been edited, so that nothing known about it is valid.
  package func refresh() -> Bool? {
    guard let status = try? bytes.status, status.size >= size else { return nil }
    let now = status.size
    defer { changed = status.changed }
    guard now > size else {
      guard status.changed != changed else { return false }
      // The file was renamed, or written to without growing. Without an index, everything is soon read again anyway.
      guard !segments.isEmpty, !hasLooseEdit else { return nil }
      checkAnew()
      return false
    }
    if checkedBlocks >= indexedBlocks, now > sizeAtCheck + sizeAtCheck / Self.growthToCheck { checkAnew() }
    cache.remove(key(Int(size / UInt64(blockSize))))
    // The line cut off by the old end may belong to the previous block.
    if size > 0 { cache.remove(key(Int((size - 1) / UInt64(blockSize)))) }
    size = now
    return true
  }

  /// The samples of a block.
  ///
  /// A block that differs from the index makes the file stale; its current samples are returned.
  ///
  /// - Throws: the system error.
  func block(_ number: Int) throws -> DecodedBlock {
    if let known = cache.block(key(number)) { return known }
    let block = try reader.decode(number, of: bytes, countsHalfLine: countsHalfLine)
    blocksRead += 1
    if let known = segment(of: number)?.block(number), known.hash != block.hash { markStale(number) }
    cache.keep(block, as: key(number))
    return block
  }

  /// Reads the samples of a block without caching them, for a pass over many blocks.
  ///
  /// - Parameter body: also receives the number of samples in the block before the batch.
  /// - Throws: the system error.
  func forEachBatch(of number: Int, _ body: (SampleBatch, MetricCatalogue, _ first: Int) -> Void) throws {
    var first = 0
    _ = try reader.read(block: number, of: bytes, countsHalfLine: countsHalfLine) { batch, scanner, _, _ in
      body(batch, scanner.catalogue, first)
      first += batch.samples.count
    }
    blocksRead += 1
  }

  private func segment(of block: Int) -> HistoryIndex? {
    segments.first { $0.block(block) != nil }
  }

  /// The blocks that may hold samples of a time range, ascending.
  ///
  /// - Throws: `IndexFault` if the index is damaged, otherwise the system error.
  func blocks(in window: Range<Timestamp>) throws -> [Int] {
    try segments.flatMap { try $0.blocks(in: window) } + looseBlocks
  }

  /// Earliest and latest time of the file's samples; `nil` if it has none.
  ///
  /// - Throws: the system error.
  func timeRange() throws -> ClosedRange<Timestamp>? {
    var (first, last) = (Timestamp.distantFuture, Timestamp.distantPast)
    for range in segments.compactMap(\.range) {
      (first, last) = (min(first, range.lowerBound), max(last, range.upperBound))
    }
    for number in looseBlocks {
      for sample in try block(number).batch.samples {
        (first, last) = (min(first, sample.time.clamped), max(last, sample.time.clamped))
      }
    }
    return first <= last ? first...last : nil
  }

  /// Number of indexed blocks that were compared with the file in the background.
  package private(set) var checkedBlocks = 0
  /// Number of blocks in the indexes.
  package var indexedBlocks: Int { segments.reduce(0) { $0 + $1.blocks.count } }

  /// Growth that triggers another comparison, as a divisor of the size: an edit before the end does not change the size.
  private static let growthToCheck: UInt64 = 16

  private func checkAnew() {
    (checkedBlocks, sizeAtCheck) = (0, size)
  }

  /// Compares the next block with the index; returns true if there may be more.
  package func checkNextBlock() -> Bool {
    guard !isStale, checkedBlocks < indexedBlocks else { return false }
    guard let isSame = try? isAsIndexed(checkedBlocks) else { return false }
    if !isSame { markStale(checkedBlocks) }
    checkedBlocks += 1
    return !isStale && checkedBlocks < indexedBlocks
  }

  /// True if the file was not written to since it was indexed, or if all its indexed blocks are unchanged.
  ///
  /// Hashes the blocks without parsing a line.
  ///
  /// - Throws: the system error.
  package func isAsIndexed() throws -> Bool {
    guard !segments.isEmpty else { return true }
    let status = try bytes.status
    return try segments.allSatisfy { segment in
      guard !segment.binding.isUntouched(status) else { return true }
      return try segment.blocks.indices.allSatisfy { try isAsIndexed(segment.firstBlock + $0) }
    }
  }

  /// True if a block matches the index, or is not in it.
  ///
  /// - Throws: the system error.
  func isAsIndexed(_ number: Int) throws -> Bool {
    guard let known = segment(of: number)?.block(number) else { return true }
    return try hash(of: number) == known.hash
  }

  /// True if a block without an index has changed since it was read, or can no longer be read.
  private var hasLooseEdit: Bool {
    looseBlocks.contains { number in
      guard let known = cache.block(key(number)) else { return false }
      return (try? hash(of: number)) != known.hash
    }
  }

  /// - Throws: the system error.
  private func hash(of number: Int) throws -> UInt64 {
    let start = UInt64(number) * UInt64(blockSize)
    return ContentHash.of(try bytes.bytes(start..<start + UInt64(blockSize)))
  }

  private func markStale(_ number: Int) {
    guard !isStale else { return }
    notes.append("\(name) was changed at byte \(UInt64(number) * UInt64(blockSize)); its index is rebuilt")
    isStale = true
  }

  /// Number of lines before a block.
  ///
  /// - Throws: the system error.
  func linesBefore(_ number: Int) throws -> Int {
    var lines = 0
    for segment in segments {
      if number >= segment.firstBlock, number < segment.firstBlock + segment.blocks.count {
        return lines + segment.linesBefore[number - segment.firstBlock]
      }
      lines += segment.lines
    }
    for loose in looseBlocks where loose < number { lines += try block(loose).lineCount }
    return lines
  }
}
