package import Platform

extension EarlierBytes {
  /// How many bytes are scanned in one piece: a few milliseconds of work, even where every line has a metric of its own.
  package static let blockSize: UInt64 = 1 << 20

  /// The pieces, last first: what is nearest to the present is wanted first.
  ///
  /// Those inside a hole of a sparse file are left out, but for the first of the file: to that one belongs a line behind
  /// a hole before which there is none.
  ///
  /// - Parameter start: what lies before is not wanted.
  package func blocks(of size: UInt64 = blockSize, from start: UInt64 = 0) -> [Range<UInt64>] {
    guard start < end else { return [] }
    return stride(from: end, to: start, by: -Int(max(1, size))).map {
      $0 - min($0 - start, max(1, size))..<$0
    }
    .filter { $0.lowerBound == 0 || dataStart(from: $0.lowerBound - 1) < $0.upperBound }
  }

  /// Scans the lines that begin in a piece.
  ///
  /// - Parameter mapping: how lines that are not those of MisterMetrics are read.
  /// - Returns: The scanner after the piece, with line numbers within the piece; and the number of bytes of the piece that no
  ///   longer exist.
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
