import Foundation
import JSONLines

/// Reads a file or standard input from its start to its end, in pieces of whole lines.
struct WholeLines {
  private static let chunkSize = 256 << 10

  /// Reads at most so many bytes at a place; 0 at the end.
  private let read: (UnsafeMutableRawBufferPointer, UInt64) throws -> Int
  /// The reader of the lines; its catalogue numbers the metrics.
  private(set) var scanner = SampleScanner()

  init(of file: ReadableFile) {
    read = { try file.read(into: $0, at: $1) }
  }

  /// Bytes that come one after the other, as from a pipe.
  init(descriptor: Int32) {
    read = { buffer, _ in
      while true {
        let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      }
    }
  }

  /// Calls `body` with the samples of each piece, its bytes, and where they begin.
  ///
  /// Only a line that is too long for a sample comes in several pieces. The last line may lack its newline.
  mutating func forEach(
    _ body: (SampleBatch, MetricCatalogue, _ chunk: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void
  ) throws {
    var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
    var batch = SampleBatch()
    var (held, offset) = (0, UInt64(0))
    while true {
      let count = try buffer.withUnsafeMutableBytes {
        try read(UnsafeMutableRawBufferPointer(rebasing: $0[held...]), offset + UInt64(held))
      }
      let there = held + count
      let whole = buffer.withUnsafeBytes { bytes in
        // What is held has none.
        let newline = UnsafeRawBufferPointer(rebasing: bytes[held..<there]).lastNewline
        let isTooLong = there > SampleScanner.lineLimit
        return newline.map { held + $0 + 1 } ?? (count == 0 || isTooLong ? there : 0)
      }
      try buffer.withUnsafeBytes { bytes in
        let chunk = UnsafeRawBufferPointer(rebasing: bytes[..<whole])
        scanner.scan(chunk, into: &batch)
        if count == 0 { scanner.finish(into: &batch) }
        try body(batch, scanner.catalogue, chunk, offset)
      }
      batch.removeAll()
      guard count > 0 else { return }
      buffer.replaceSubrange(..<whole, with: [])
      (held, offset) = (there - whole, offset + UInt64(whole))
      // As much room again as is held, so that a long line is not moved for every piece of it.
      let wanted = held + max(held, Self.chunkSize)
      buffer.append(contentsOf: repeatElement(0, count: max(0, wanted - buffer.count)))
      if buffer.count > wanted { buffer.removeLast(buffer.count - wanted) }
    }
  }
}
