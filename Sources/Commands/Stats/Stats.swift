import Foundation
import JSONLines
import TerminalUI

/// `mistertop stats FILE…`: count, extremes, mean, spread and percentiles of every metric, over whole files.
package struct Stats: Sendable {
  var filter = StatsTable.Filter()
  var format = StatsFormat.table
  /// Whether what is kept of the files in the cache folder may be used, and kept.
  var usesIndex = true
  /// How many cores read at a time.
  var workers = ProcessInfo.processInfo.activeProcessorCount

  /// Reads the files and writes the table; rejected lines go, by reason, to standard error.
  package func run(paths: [String], console: Console) async -> ExitCode {
    var table = StatsTable(filter: filter)
    var result = ExitCode.fine
    for path in paths {
      do {
        let rejections = try await read(path, into: &table)
        for line in FileWords.rejections(rejections, of: path) {
          console.complain("mistertop stats: \(line)")
        }
      } catch {
        console.complain("mistertop stats: \(SafeText.sanitized(path)): \(FileWords.problem(error))")
        result = .failed
      }
    }
    console.write(format.text(table.rows, toTerminal: console.isTerminal))
    return result
  }

  private func read(_ path: String, into table: inout StatsTable) async throws -> RejectionLog {
    if path == "-" { return try readStandardInput(into: &table) }
    let file = try ReadableFile(path: path)
    defer { file.close() }
    guard file.canSeek else { throw POSIXError(.ESPIPE) }
    let size = try file.size
    var gathered = table
    var rejections = RejectionLog()
    var lines = 0
    try await FileScan(path: path, bytes: 0..<size).run(
      workers: workers, initial: StatsPart(filter: filter),
      fold: { part, batch, scanner in part.fold(batch, scanner.catalogue) },
      deliver: { part in
        gathered.merge(part.state, part.scanner.catalogue)
        rejections.append(part.scanner.rejections, linesBefore: lines)
        lines += part.scanner.lines
      })
    table = gathered
    return rejections
  }

  private func readStandardInput(into table: inout StatsTable) throws -> RejectionLog {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    var part = StatsPart(filter: filter)
    while let data = try FileHandle.standardInput.read(upToCount: 256 << 10), !data.isEmpty {
      data.withUnsafeBytes { scanner.scan($0, into: &batch) }
      part.fold(batch, scanner.catalogue)
      batch.removeAll()
    }
    scanner.finish(into: &batch)
    part.fold(batch, scanner.catalogue)
    table.merge(part, scanner.catalogue)
    return scanner.rejections
  }
}
