import Platform

/// Reads a file, or a part of it, on several cores at once.
///
/// The part is divided into ranges; a line belongs to the range in which it starts. Each range has its own scanner and
/// state, so the readers share nothing; the results arrive in file order, to be merged.
package struct FileScan: Sendable {
  /// Bytes per range: few enough that no core waits long for another at the end, and enough that registering the
  /// metrics again for each range does not matter.
  private static let rangeSizes: ClosedRange<UInt64> = 4 << 20...64 << 20
  private static let chunkSize = 256 << 10
  /// Readable bytes after a chunk, for the scanner.
  package static let slack = 256

  /// The file.
  package let path: String
  /// The bytes to read; a line that starts before the end is read in full.
  package let bytes: Range<UInt64>
  /// The mapping for lines of other programs; `nil` to recognize them automatically.
  package let mapping: LineMapping?

  /// The result for one range.
  package struct Part<State: Sendable>: Sendable {
    /// The requested bytes.
    package let bytes: Range<UInt64>
    /// The scanner after the range; its line numbers are relative to the range.
    package let scanner: SampleScanner
    /// The result of the caller's fold over the samples.
    package let state: State
  }

  /// A scan of the bytes from `start` up to `end`.
  package init(path: String, bytes: Range<UInt64>, mapping: LineMapping? = nil) {
    self.path = path
    self.bytes = bytes
    self.mapping = mapping
  }

  /// The ranges to read, one per task.
  private func ranges(for workers: Int) -> [Range<UInt64>] {
    let share = (bytes.upperBound - bytes.lowerBound) / UInt64(max(1, workers) * 4)
    let size = min(max(share, Self.rangeSizes.lowerBound), Self.rangeSizes.upperBound)
    return stride(from: bytes.lowerBound, to: bytes.upperBound, by: Int(size)).map {
      $0..<min($0 + size, bytes.upperBound)
    }
  }

  /// Reads all ranges, up to `workers` at a time.
  ///
  /// - Parameters:
  ///   - initial: The initial state of each range.
  ///   - countsHalfLine: True to count a last line without a newline.
  ///   - fold: Processes a batch of samples on the reader's thread. An error that it throws ends the scan.
  ///   - deliver: Receives each finished part, in file order.
  /// - Throws: `POSIXError` if the file cannot be opened or read; `CancellationError` when the task is cancelled.
  package func run<State: Sendable>(
    workers: Int, initial: State, countsHalfLine: Bool = true,
    fold: @escaping @Sendable (inout State, SampleBatch, SampleScanner) throws -> Void,
    deliver: (Part<State>) -> Void
  ) async throws {
    let ranges = ranges(for: workers)
    try await OrderedReduce.runInTask(count: ranges.count, workers: workers) { isStopped in
      { index in
        // A half line belongs to the range in which it starts, which need not be the last one.
        try part(ranges[index], initial, countsHalfLine, fold, isStopped)
      }
    } deliver: {
      deliver($0)
    }
  }

  private func part<State: Sendable>(
    _ range: Range<UInt64>, _ initial: State, _ countsHalfLine: Bool,
    _ fold: (inout State, SampleBatch, SampleScanner) throws -> Void, _ isStopped: () -> Bool
  ) throws -> Part<State> {
    let file = try ReadableFile(path: path)
    defer { file.close() }
    var state = initial
    var batch = SampleBatch()
    var reader = RangeReader(range: range, scanner: SampleScanner(mapping: mapping))
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize + Self.slack, alignment: 16)
    defer { room.deallocate() }
    room.initializeMemory(as: UInt8.self, repeating: 0)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: room[..<Self.chunkSize])
    while !reader.isDone {
      if isStopped() { throw CancellationError() }
      reader.passHole(to: file.dataStart(from: reader.position))
      guard !reader.isDone else { break }
      let count = try file.read(into: buffer, at: reader.position)
      reader.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &batch)
      if count == 0, countsHalfLine { reader.scanner.finish(into: &batch) }
      try fold(&state, batch, reader.scanner)
      batch.removeAll()
    }
    return Part(bytes: range, scanner: reader.scanner, state: state)
  }
}

/// Walks over a range of a file: from the first line that starts in it to the end of the last one that does.
package struct RangeReader {
  let range: Range<UInt64>
  package var scanner: SampleScanner
  /// Offset of the next bytes to read.
  package private(set) var position: UInt64
  package private(set) var isDone = false
  private var seeksLineStart: Bool
  /// Start of the first line, while the pieces before it are read.
  private var piecesEnd: UInt64?
  private var mayLookBack: Bool
  /// Reads the lines before the range for their pieces.
  private var earlier: SampleScanner?

  /// - Parameter scanner: A scanner, possibly one that already knows metrics from elsewhere.
  package init(range: Range<UInt64>, scanner: SampleScanner = SampleScanner()) {
    self.range = range
    self.scanner = scanner
    self.scanner.restart(offset: range.lowerBound, line: 1)
    // The byte before the range shows whether a line starts at its lower bound.
    seeksLineStart = range.lowerBound > 0
    mayLookBack = range.lowerBound > 0
    position = range.lowerBound - (range.lowerBound > 0 ? 1 : 0)
    isDone = range.isEmpty
  }

  /// Takes the bytes at `position`, which `FileScan.slack` more readable bytes follow; empty at the end of the file.
  package mutating func take(_ bytes: UnsafeRawBufferPointer, into batch: inout SampleBatch) {
    guard !bytes.isEmpty else {
      isDone = true
      return
    }
    if let end = piecesEnd { return takePieces(bytes, upTo: end) }
    var bytes = bytes
    if seeksLineStart {
      guard let newline = bytes.firstNewline else { return skip(bytes.count) }
      seeksLineStart = false
      position += UInt64(newline + 1)
      scanner.restart(offset: position, line: 1)
      guard position < range.upperBound else {
        isDone = true
        return
      }
      bytes = UnsafeRawBufferPointer(rebasing: bytes[(newline + 1)...])
    }
    if mayLookBack, !bytes.isEmpty {
      mayLookBack = false
      if PartialLines.mayContinue(bytes) {
        piecesEnd = position
        position -= min(position, Self.lookBack)
        return
      }
    }
    let taken = wanted(of: bytes)
    scanner.scan(
      UnsafeRawBufferPointer(rebasing: bytes[..<taken]), slack: FileScan.slack, into: &batch)
    position += UInt64(taken)
  }

  /// Bytes before the range in which the earlier pieces of its first line are sought.
  private static let lookBack: UInt64 = 256 << 10

  /// Takes the bytes before the first line, which may hold the first pieces of a line that a container runtime cut.
  ///
  /// Such a line counts where it ends.
  private mutating func takePieces(_ bytes: UnsafeRawBufferPointer, upTo end: UInt64) {
    let count = min(bytes.count, Int(clamping: end - position))
    var before = UnsafeRawBufferPointer(rebasing: bytes[..<count])
    let isFirst = earlier == nil
    position += UInt64(count)
    if isFirst, position - UInt64(count) > 0 {
      guard let newline = before.firstNewline else { return finishPieces(at: end) }
      before = UnsafeRawBufferPointer(rebasing: before[(newline + 1)...])
    }
    var batch = SampleBatch()
    if isFirst { earlier = SampleScanner(mapping: scanner.mapping) }
    earlier?.scan(before, into: &batch)
    finishPieces(at: end)
  }

  private mutating func finishPieces(at end: UInt64) {
    guard position >= end else { return }
    if let earlier { scanner.takePieces(of: earlier) }
    (earlier, piecesEnd) = (nil, nil)
  }

  /// Skips a hole of a sparse file, if it lies between two lines.
  ///
  /// - Parameter start: Offset of the next data; `position` if there is no hole.
  mutating func passHole(to start: UInt64) {
    guard piecesEnd == nil, start > position, seeksLineStart || scanner.isAtLineStart else { return }
    position = start
    if seeksLineStart {
      isDone = position >= range.upperBound
    } else {
      scanner.restart(offset: position, line: scanner.nextLine)
    }
  }

  private mutating func skip(_ count: Int) {
    position += UInt64(count)
    isDone = position >= range.upperBound
  }

  /// Number of bytes that belong to lines that start in the range; also decides whether the range is done.
  private mutating func wanted(of bytes: UnsafeRawBufferPointer) -> Int {
    guard position + UInt64(bytes.count) >= range.upperBound else {
      // Reading a cut line again is cheaper than joining it, unless it is longer than the buffer.
      return bytes.lastNewline.map { $0 + 1 } ?? bytes.count
    }
    // The newline that ends the last line may be the very last byte of the range, or lie past it.
    let from = position >= range.upperBound ? 0 : Int(range.upperBound - position) - 1
    guard let newline = UnsafeRawBufferPointer(rebasing: bytes[from...]).firstNewline else {
      return bytes.count
    }
    isDone = true
    return from + newline + 1
  }
}
