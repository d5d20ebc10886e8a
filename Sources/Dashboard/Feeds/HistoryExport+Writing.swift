import Foundation
import History
import JSONLines
import MisterMetrics

extension HistoryExport {
  /// Writes the samples of some files; the file is there whole or not at all, and replaces none.
  ///
  /// - Parameter onProgress: gets bytes read and in all; the work ends early when it answers `false`.
  /// - Returns: how many samples were written.
  /// - Throws: `IndexPass.Failure.cancelled` after an early end, else what reading or writing threw.
  func write(of files: [HistoryFile], onProgress: (UInt64, UInt64) -> Bool) throws -> Int {
    let target = try ReplacementFile(for: path, readers: .usual)
    let wanted = Set(series)
    var stream = ExportStream(
      format.writer(temporaryFolder: FileManager.default.temporaryDirectory.path),
      filter: ExportStream.Filter(since: window.lowerBound, until: window.upperBound.nextDown) { metric in
        wanted.isEmpty || wanted.contains(metric.bucket.map { "\($0).\(metric.name)" } ?? metric.name)
      })
    var output = stream.head
    let work = try files.map { ($0, try $0.byteRanges(in: window)) }
    let total = work.reduce(0) { $0 + $1.1.reduce(0) { $0 + UInt64($1.count) } }
    var done: UInt64 = 0
    for (file, ranges) in work {
      stream.beginSource()
      var scanner = SampleScanner()
      for range in ranges {
        var lines = WholeLines(of: file.bytes, in: range, scanner: scanner)
        try lines.forEach { batch, catalogue, chunk, offset in
          try stream.take(batch, catalogue, chunk: chunk, at: offset, into: &output)
          done += UInt64(chunk.count)
          guard onProgress(min(done, total), total) else { throw IndexPass.Failure.cancelled }
          try target.write(output)
          output.removeAll(keepingCapacity: true)
        }
        scanner = lines.scanner
      }
    }
    try stream.finish { try target.write($0) }
    try target.putInFreePlace()
    return stream.written
  }
}
