package import JSONLines
package import Platform

/// A file, or a stream of bytes, whose samples are exported, and what is to be read of it.
package struct ExportSource: Sendable {
  private enum Content: Sendable {
    case file(any HistoryBytes, [Range<UInt64>])
    /// What comes from a descriptor, to its end.
    case stream(Int32)
  }

  private let content: Content

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - window: The times that are wanted.
  ///   - cache: Where an index may tell which parts of the file have them.
  /// - Throws: `POSIXError` with the system's reason.
  package init(path: String, window: Range<Timestamp>, cache: IndexCache?) throws {
    let file = try OpenFile(path: path)
    content = .file(file, try IndexedRanges.ranges(of: file, in: window, cache: cache))
  }

  /// The lines of a file that begin in some ranges.
  package init(of file: any HistoryBytes, in ranges: [Range<UInt64>]) {
    content = .file(file, ranges)
  }

  package init(descriptor: Int32) {
    content = .stream(descriptor)
  }

  /// How many bytes are read; `nil` where that is not known.
  package var size: Double? {
    guard case .file(_, let ranges) = content else { return nil }
    return ranges.reduce(0) { $0 + Double($1.count) }
  }

  /// Whether it is read from its start on without leaving anything out.
  package var isWhole: Bool {
    guard case .file(_, let ranges) = content else { return true }
    return ranges.count == 1 && ranges.first?.lowerBound == 0
  }

  /// Calls `body` with samples, their metrics, the bytes that hold their lines, and where these begin.
  ///
  /// - Returns: The lines that were rejected.
  package func forEachPiece(
    _ body: (SampleBatch, MetricCatalogue, _ chunk: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void
  ) throws -> RejectionLog {
    switch content {
    case .stream(let descriptor):
      var lines = WholeLines(descriptor: descriptor)
      try lines.forEach(body)
      return lines.scanner.rejections
    case .file(let file, let ranges):
      var scanner = SampleScanner()
      for range in ranges {
        var lines = WholeLines(of: file, in: range, scanner: scanner)
        try lines.forEach(body)
        scanner = lines.scanner
      }
      return scanner.rejections
    }
  }
}
