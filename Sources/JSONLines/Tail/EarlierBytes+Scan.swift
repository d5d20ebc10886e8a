package import Platform

extension EarlierBytes {
  /// Bytes scanned per block: a few milliseconds of work, even if every line has a different metric.
  package static let blockSize: UInt64 = 1 << 20

  /// The blocks, last first, because the most recent data is wanted first.
  ///
  /// Blocks inside a hole of a sparse file are left out, except for the first of the file: it owns the line after a
  /// hole that starts the file.
  ///
  /// - Parameter start: The start of the wanted bytes.
  package func blocks(of size: UInt64 = blockSize, from start: UInt64 = 0) -> [Range<UInt64>] {
    guard start < end else { return [] }
    return stride(from: end, to: start, by: -Int(max(1, size))).map {
      $0 - min($0 - start, max(1, size))..<$0
    }
    .filter { $0.lowerBound == 0 || dataStart(from: $0.lowerBound - 1) < $0.upperBound }
  }

  /// Scans the lines that start in a block.
  ///
  /// - Parameter mapping: The mapping for lines of other programs.
  /// - Returns: The scanner after the block, with line numbers relative to the block, and the number of bytes of the
  ///   block that no longer exist.
  package func scan(
    _ block: Range<UInt64>, mapping: LineMapping? = nil, fold: (SampleBatch, SampleScanner) -> Void
  ) throws(FileFailure) -> (scanner: SampleScanner, missing: UInt64) {
    var reader = RangeReader(range: block, scanner: SampleScanner(mapping: mapping))
    var batch = SampleBatch()
    let chunk = 256 << 10
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk + FileScan.slack, alignment: 64)
    defer { room.deallocate() }
    room.initializeMemory(as: UInt8.self, repeating: 0)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: room[..<chunk])
    var missing: UInt64 = 0
    while !reader.isDone {
      reader.passHole(to: dataStart(from: reader.position))
      guard !reader.isDone else { break }
      let count = try read(at: reader.position, into: buffer)
      if count == 0, reader.position < block.upperBound { missing = block.upperBound - reader.position }
      reader.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &batch)
      fold(batch, reader.scanner)
      batch.removeAll()
    }
    return (reader.scanner, missing)
  }
}
