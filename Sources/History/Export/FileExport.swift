import Essentials
import JSONLines
package import Platform

/// Writes the samples of files to a new file, atomically.
package struct FileExport: Sendable {
  /// Number of samples written, and of samples the format cannot express.
  package struct Outcome: Sendable, Equatable {
    package var written: Int
    package var omitted: Int
  }

  private let sources: [ExportSource]
  private let format: ExportFormat
  private let window: Range<Timestamp>
  private let metrics: Set<String>
  private let payloads: ExportOptions

  /// - Parameters:
  ///   - sources: from oldest to newest.
  ///   - window: the wanted time range.
  ///   - metrics: the wanted metrics as `bucket.name`; empty for all.
  package init(
    sources: [ExportSource], format: ExportFormat, window: Range<Timestamp>, metrics: [String],
    payloads: ExportOptions = .init()
  ) {
    self.payloads = payloads
    self.sources = sources
    self.format = format
    self.window = window
    self.metrics = Set(metrics)
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - path: a path at which no file exists.
  ///   - onProgress: called with the bytes read and the total; if it returns `false`, the file is removed.
  /// - Throws: `CancellationError` in that case, otherwise the system error as `FileFailure` or `POSIXError`.
  package func write(
    to path: String, onProgress: (_ done: UInt64, _ total: UInt64) -> Bool
  ) throws -> Outcome {
    if Posix.status(at: path) != nil { throw FileFailure.other(EEXIST) }
    let total = UInt64(sources.reduce(0) { $0 + ($1.size ?? 0) })
    let file = try ReplacementFile(for: path, readers: .usual, links: .followed)
    var stream = ExportStream(
      format.writer(temporaryFolder: FileManager.default.temporaryDirectory.path, payloads: payloads),
      filter: filter)
    var output: [UInt8] = []
    var done: UInt64 = 0
    for source in sources {
      stream.beginSource()
      _ = try source.forEachPiece { batch, catalogue, chunk, offset in
        try stream.take(batch, catalogue, chunk: chunk, at: offset, into: &output)
        try file.write(output)
        output.removeAll(keepingCapacity: true)
        done += UInt64(chunk.count)
        guard onProgress(min(done, total), total) else { throw CancellationError() }
      }
    }
    try file.write(output + stream.head())
    try stream.finish { bytes in
      guard onProgress(total, total) else { throw CancellationError() }
      try file.write(bytes)
    }
    try file.putInFreePlace()
    return Outcome(written: stream.written, omitted: stream.omitted)
  }

  private var filter: ExportStream.Filter {
    ExportStream.Filter(since: window.lowerBound, until: window.upperBound.nextDown) {
      [metrics] identity in
      metrics.isEmpty || metrics.contains(identity.fullName)
    }
  }
}
