package import JSONLines
package import Platform

/// A file or byte stream whose samples are exported, and the parts of it to read.
package struct ExportSource: Sendable {
  private enum Content: Sendable {
    case file(any HistoryBytes, [Range<UInt64>])
    /// The unpacked content of a file, from start to end.
    case packed(String, LineMapping?)
    /// The bytes of a descriptor, to its end.
    case stream(Int32, LineMapping?)
  }

  private let content: Content

  /// The outcome of reading the lines.
  package struct Outcome: Sendable {
    /// The rejected lines.
    package var rejections: RejectionLog
    /// Recognized formats of other programs' lines.
    package var formats: Set<ForeignFormat>
    /// The part missing at the end of the unpacked data.
    package var note: PlainStream.Note?
    /// True if there were lines and none of them could be read.
    package var isUnreadable: Bool

    /// The outcome of a scanner.
    init(of scanner: SampleScanner, note: PlainStream.Note? = nil) {
      self.init(
        rejections: scanner.rejections, formats: scanner.catalogue.formats, note: note,
        isUnreadable: scanner.isUnreadable)
    }

    package init(
      rejections: RejectionLog, formats: Set<ForeignFormat>, note: PlainStream.Note? = nil,
      isUnreadable: Bool = false
    ) {
      self.isUnreadable = isUnreadable
      self.rejections = rejections
      self.formats = formats
      self.note = note
    }
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - window: the wanted time range.
  ///   - cache: the cache whose index may show which parts of the file are needed.
  ///   - mapping: the mapping of lines that do not come from MisterMetrics.
  /// - Throws: `POSIXError` with the system's reason.
  package init(
    path: String, window: Range<Timestamp>, cache: IndexCache?, mapping: LineMapping? = nil
  ) throws {
    guard !StreamedFile.isNeeded(path) else {
      content = .packed(path, mapping)
      return
    }
    let file = try OpenFile(path: path, mapping: mapping)
    content = .file(file, try IndexedRanges.ranges(of: file, in: window, cache: cache))
  }

  /// The lines of a file that begin in some ranges.
  package init(of file: any HistoryBytes, in ranges: [Range<UInt64>]) {
    content = .file(file, ranges)
  }

  package init(descriptor: Int32, mapping: LineMapping? = nil) {
    content = .stream(descriptor, mapping)
  }

  /// Number of bytes to read; `nil` if unknown.
  package var size: Double? {
    guard case .file(_, let ranges) = content, ranges.last?.upperBound != .max else { return nil }
    return ranges.reduce(0) { $0 + Double($1.count) }
  }

  /// True if it is read from the start without gaps.
  package var isWhole: Bool {
    guard case .file(_, let ranges) = content else { return true }
    return ranges.count == 1 && ranges.first?.lowerBound == 0
  }

  /// Calls `body` with samples, their metrics, the bytes that hold their lines, and the offset of those bytes.
  ///
  /// - Throws: the system error, and errors of `body`.
  package func forEachPiece(
    _ body: (SampleBatch, MetricCatalogue, _ chunk: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void
  ) throws -> Outcome {
    switch content {
    case .packed(let path, let mapping):
      let descriptor = try Posix.open(path)
      defer { Posix.close(descriptor) }
      return try Self.read(descriptor, mapping, body)
    case .stream(let descriptor, let mapping):
      return try Self.read(descriptor, mapping, body)
    case .file(let file, let ranges):
      var scanner = SampleScanner(mapping: file.mapping)
      for range in ranges {
        var lines = WholeLines(of: file, in: range, scanner: scanner)
        try lines.forEach(body)
        scanner = lines.scanner
      }
      return Outcome(of: scanner)
    }
  }

  private static func read(
    _ descriptor: Int32, _ mapping: LineMapping?,
    _ body: (SampleBatch, MetricCatalogue, UnsafeRawBufferPointer, UInt64) throws -> Void
  ) throws -> Outcome {
    var lines = WholeLines(descriptor: descriptor, mapping: mapping)
    try lines.forEach(body)
    return Outcome(of: lines.scanner, note: lines.note)
  }
}
