import Codecs
package import JSONLines
import Platform

/// Reads a file block by block: all lines that begin in a block, and a hash of the block's own bytes.
///
/// Reuses its buffer and scanner from block to block; each thread has its own reader.
package final class BlockReader {
  /// Facts about a block besides its samples.
  package struct Facts: Equatable, Sendable {
    /// Hash of the block's bytes, wherever lines begin and end.
    package var hash: UInt64
    /// Lines that begin in the block, including blank and rejected ones.
    package var lines: Int
    /// Lines of those that could not be read.
    package var rejected: Int
    /// True if the last line that begins in the block has its newline.
    package var isWhole: Bool
    /// Number of the block's bytes that exist.
    package var size: Int
  }

  /// Bytes read beyond a block, so that its last line is usually complete.
  private static let overlap = 8 << 10

  private let blockSize: Int
  /// Grows as needed: of many files, most are small.
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var scanner = SampleScanner()
  private var batch = SampleBatch()

  /// - Parameter blockSize: block size in bytes.
  package init(blockSize: Int) {
    self.blockSize = blockSize
  }

  deinit { room.deallocate() }

  /// Renumbers metrics if there are very many.
  ///
  /// Called at the start of each block. A caller that keeps values by these numbers across blocks must call it before
  /// each block, and drop those values if it returns true.
  ///
  /// - Returns: true if the metrics were renumbered.
  func forgetManyMetrics() -> Bool { scanner.forgetManyMetrics() }

  /// Reads the lines that begin in a block.
  ///
  /// - Parameters:
  ///   - countsHalfLine: true if a last line without a newline at the end of the file counts.
  ///   - body: receives samples; the raw bytes are those taken last and begin at `offset`.
  /// - Throws: errors of the file and of `body`.
  package func read(
    block: Int, of file: any HistoryBytes, countsHalfLine: Bool = false,
    _ body: (_ batch: SampleBatch, _ scanner: SampleScanner, _ raw: UnsafeRawBufferPointer, _ offset: UInt64)
      throws -> Void
  ) throws -> Facts {
    _ = forgetManyMetrics()
    let start = UInt64(block) * UInt64(blockSize)
    let range = start..<start + UInt64(blockSize)
    let (linesBefore, rejectedBefore) = (scanner.lines, scanner.rejections.total)
    scanner.mapping = file.mapping
    var reader = RangeReader(range: range, scanner: scanner)
    defer { scanner = reader.scanner }
    var facts = Facts(hash: 0, lines: 0, rejected: 0, isWhole: true, size: 0)
    var isFirst = true
    while !reader.isDone {
      let position = reader.position
      let size = try file.status.size
      // The byte before the block shows whether a line begins at its start.
      let wanted = min(
        1 + blockSize + Self.overlap, Int(range.upperBound - min(position, range.upperBound)) + Self.overlap,
        Int(clamping: size - min(position, size)) + Self.overlap)
      makeRoom(wanted + FileScan.slack)
      let buffer = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
      let count = try fill(buffer, from: file, at: position)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if isFirst {
        isFirst = false
        let own = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Int(start - position)).prefix(blockSize))
        (facts.hash, facts.size) = (ContentHash.of(own), own.count)
      }
      if count == 0 {
        facts.isWhole = reader.scanner.isAtLineStart
        if countsHalfLine { reader.scanner.finish(into: &batch) }
      }
      reader.take(bytes, into: &batch)
      // The reader may have gone back to the earlier pieces of its first line.
      let end = max(position, reader.position)
      let taken = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(end - position)))
      try body(batch, reader.scanner, taken, position)
      batch.removeAll()
    }
    facts.lines = reader.scanner.lines - linesBefore
    facts.rejected = reader.scanner.rejections.total - rejectedBefore
    return facts
  }

  /// The rejections of the blocks read so far, numbered within their blocks.
  package var rejections: RejectionLog { scanner.rejections }

  private func makeRoom(_ count: Int) {
    guard room.count < count else { return }
    room.deallocate()
    room = .allocate(byteCount: count, alignment: 64)
    room.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Reads until the buffer is full or the file ends.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from file: any HistoryBytes, at offset: UInt64
  ) throws -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let read = try file.read(into: rest, at: offset + UInt64(count))
      guard read > 0 else { break }
      count += read
    }
    return count
  }
}
