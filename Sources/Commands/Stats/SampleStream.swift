import JSONLines
import Platform

/// Reads the samples of streams: standard input and packed files.
struct SampleStream {
  private static let chunkSize = 256 << 10

  private let stream: PlainStream
  private var scanner: SampleScanner

  /// - Parameters:
  ///   - descriptor: The stream; it stays open and must have no other reader.
  ///   - mapping: The mapping for lines in foreign formats; `nil` to recognize the format.
  init(descriptor: Int32, mapping: LineMapping?) {
    stream = PlainStream(descriptor: descriptor)
    scanner = SampleScanner(mapping: mapping)
  }

  /// The metrics read so far.
  var catalogue: MetricCatalogue { scanner.catalogue }

  /// The outcome of the lines read so far.
  var outcome: ReadingOutcome {
    var outcome = ReadingOutcome()
    outcome.add(scanner)
    outcome.note = stream.note
    return outcome
  }

  /// Reads to the end, including a last line without a newline.
  ///
  /// - Throws: The system's error, or what `fold` throws to stop.
  mutating func forEachBatch(_ fold: (SampleBatch, MetricCatalogue) throws -> Void) throws {
    var batch = SampleBatch()
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.chunkSize + FileScan.slack, alignment: 16)
    defer { room.deallocate() }
    room.initializeMemory(as: UInt8.self, repeating: 0)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: room[..<Self.chunkSize])
    while case let count = try stream.read(into: buffer), count > 0 {
      scanner.scan(UnsafeRawBufferPointer(rebasing: buffer[..<count]), slack: FileScan.slack, into: &batch)
      try fold(batch, scanner.catalogue)
      batch.removeAll()
    }
    scanner.finish(into: &batch)
    try fold(batch, scanner.catalogue)
  }
}
