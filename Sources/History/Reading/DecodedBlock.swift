import JSONLines

/// The samples of a block, with the numbers of their lines.
struct DecodedBlock: Sendable {
  let number: Int
  var batch = SampleBatch()
  var catalogue = MetricCatalogue()
  /// The line number of each sample within the block, from 1.
  var lines: [UInt32] = []
  var hash: UInt64 = 0
  var lineCount = 0

  /// Approximate memory in bytes.
  var footprint: Int { batch.samples.count * 44 + batch.payload.count + 1024 }

  /// The block's number of a metric; `nil` if it does not occur.
  func metric(_ identity: MetricIdentity) -> MetricID? { catalogue.knownNumber(of: identity) }
}

extension BlockReader {
  /// Reads a whole block.
  ///
  /// - Throws: errors of the file.
  func decode(_ number: Int, of file: any HistoryBytes, countsHalfLine: Bool) throws -> DecodedBlock {
    var block = DecodedBlock(number: number)
    // For all blocks but the first, reading begins with the newline before the block.
    var line: UInt32 = number == 0 ? 1 : 0
    let facts = try read(block: number, of: file, countsHalfLine: countsHalfLine) {
      batch, scanner, raw, offset in
      block.batch.append(batch)
      block.catalogue = scanner.catalogue
      var counted = 0
      for sample in batch.samples {
        // A line begun in earlier bytes has the number at which those ended.
        let place = sample.offset > offset ? min(raw.count, Int(sample.offset - offset)) : 0
        line &+= Self.newlines(in: raw, counted..<max(counted, place))
        counted = max(counted, place)
        block.lines.append(line)
      }
      line &+= Self.newlines(in: raw, counted..<raw.count)
    }
    (block.hash, block.lineCount) = (facts.hash, facts.lines)
    return block
  }

  private static func newlines(in raw: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt32 {
    var count: UInt32 = 0
    for byte in UnsafeRawBufferPointer(rebasing: raw[range]) where byte == 0x0A { count &+= 1 }
    return count
  }
}
