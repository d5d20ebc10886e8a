import Essentials
package import JSONLines
import Platform

/// Reads bytes from start to end, in pieces of whole lines.
package struct WholeLines {
  private static let chunkSize = 256 << 10

  /// Reads up to a buffer's length of bytes at an offset; 0 at the end.
  private let read: (UnsafeMutableRawBufferPointer, UInt64) throws -> Int
  /// A line belongs to the range that it begins in.
  private let range: Range<UInt64>
  /// Offset of the start of the buffer in the input.
  private var offset: UInt64
  private var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
  /// Number of bytes in the buffer that wait for the end of their line.
  private var held = 0
  private var isDone = false
  private var stream: PlainStream?
  /// The part missing at the end of the unpacked data.
  package var note: PlainStream.Note? { stream?.note }
  /// The reader of the lines; its catalogue numbers the metrics.
  package private(set) var scanner: SampleScanner

  /// The lines of a file that begin in a range.
  ///
  /// - Parameter scanner: a scanner that may already know metrics; its rejections continue.
  package init(
    of file: any HistoryBytes, in range: Range<UInt64> = 0..<UInt64.max,
    scanner: SampleScanner = SampleScanner()
  ) {
    self.init(range, scanner) { try file.read(into: $0, at: $1) }
  }

  /// The lines of sequential bytes, such as those of a pipe; gzip is unpacked.
  ///
  /// - Parameter mapping: the mapping of lines that do not come from MisterMetrics.
  package init(descriptor: Int32, mapping: LineMapping? = nil) {
    let stream = PlainStream(descriptor: descriptor)
    self.init(0..<UInt64.max, SampleScanner(mapping: mapping)) { buffer, _ in
      do throws(FileFailure) { return try stream.read(into: buffer) } catch {
        throw POSIXError(POSIXErrorCode(rawValue: error.number) ?? .EIO)
      }
    }
    self.stream = stream
  }

  private init(
    _ range: Range<UInt64>, _ scanner: SampleScanner,
    read: @escaping (UnsafeMutableRawBufferPointer, UInt64) throws -> Int
  ) {
    self.read = read
    self.range = range
    self.scanner = scanner
    // The byte before the range shows whether a line begins at its start.
    offset = max(range.lowerBound, 1) - 1
    isDone = range.isEmpty
  }

  /// Calls `body` with the samples of each piece, its bytes and their offset.
  ///
  /// Only a line that is too long for a sample comes in several pieces. The last line of the input may lack its newline.
  package mutating func forEach(
    _ body: (SampleBatch, MetricCatalogue, _ chunk: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void
  ) throws {
    var batch = SampleBatch()
    if range.lowerBound > 0 { try seekLine() }
    scanner.restart(offset: offset, line: scanner.nextLine)
    while !isDone {
      let whole = try takeWhole()
      try buffer.withUnsafeBytes { bytes in
        let chunk = UnsafeRawBufferPointer(rebasing: bytes[..<whole])
        scanner.scan(chunk, into: &batch)
        if isDone { scanner.finish(into: &batch) }
        try body(batch, scanner.catalogue, chunk, offset)
      }
      batch.removeAll()
      drop(whole)
    }
  }

  /// Advances to the first line that begins in the range.
  private mutating func seekLine() throws {
    while !isDone {
      let there = try fill()
      let newline = buffer.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[..<there]).firstNewline }
      held = there
      isDone = there == 0
      drop(newline.map { $0 + 1 } ?? there)
      guard newline == nil else { break }
    }
    if offset >= range.upperBound { isDone = true }
  }

  /// Reads more after the waiting bytes; returns the number of bytes now in the buffer.
  private mutating func fill() throws -> Int {
    let (held, place, read) = (held, offset + UInt64(held), read)
    return try held
      + buffer.withUnsafeMutableBytes {
        try read(UnsafeMutableRawBufferPointer(rebasing: $0[held...]), place)
      }
  }

  /// Reads more; returns the number of bytes at the start of the buffer that are whole lines of the range.
  private mutating func takeWhole() throws -> Int {
    // The last line of the range ends at this byte or after it.
    let last = range.upperBound - 1
    let old = held
    held = try fill()
    let isAtEnd = held == old
    return buffer.withUnsafeBytes { bytes in
      let there = UnsafeRawBufferPointer(rebasing: bytes[..<held])
      if offset + UInt64(held) > last {
        let from = last > offset ? Int(last - offset) : 0
        let tail = UnsafeRawBufferPointer(rebasing: there[from...])
        if let newline = tail.firstNewline {
          isDone = true
          return from + newline + 1
        }
      }
      isDone = isAtEnd
      // The waiting bytes have no newline.
      let newline = UnsafeRawBufferPointer(rebasing: there[old...]).lastNewline
      let isTooLong = held > RejectionReason.lineLimit
      return newline.map { old + $0 + 1 } ?? (isAtEnd || isTooLong ? held : 0)
    }
  }

  /// Removes the processed bytes.
  private mutating func drop(_ count: Int) {
    buffer.replaceSubrange(..<count, with: [])
    (held, offset) = (held - count, offset + UInt64(count))
    // Twice the size of what is held, so that a long line is not moved for every piece of it.
    let wanted = held + max(held, Self.chunkSize)
    if buffer.count > wanted { buffer.removeLast(buffer.count - wanted) }
    buffer.append(contentsOf: repeatElement(0, count: wanted - buffer.count))
  }
}
