import Foundation
import History
import JSONLines
import Platform
import TerminalUI

/// `mistertop stats FILE…`: count, extremes, mean, spread and percentiles of every metric, over whole files.
package struct Stats: Sendable {
  var filter = StatsTable.Filter()
  var format = StatsFormat.table
  /// Where the indexes of files are kept; `nil` to use none.
  var indexFolder: String?
  /// How many cores read at a time.
  var workers = ProcessInfo.processInfo.activeProcessorCount

  /// Reads the files and writes the table; rejected lines go, by reason, to standard error.
  package func run(paths: [String], console: Console) async -> ExitCode {
    var table = StatsTable(filter: filter)
    var result = ExitCode.fine
    for path in paths {
      do {
        let (rejections, isWhole) = try await read(path, into: &table)
        for line in FileWords.rejections(rejections, of: path, knowsLines: isWhole) {
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

  /// - Returns: the lines that were rejected, and whether nothing was left out, so that their numbers are the file's.
  private func read(_ path: String, into table: inout StatsTable) async throws -> (RejectionLog, Bool) {
    if path == "-" { return (try readStandardInput(into: &table), true) }
    let file = try OpenFile(path: path)
    let size = try file.status.size
    let cache = indexFolder.map { IndexCache(folder: URL(fileURLWithPath: $0)) }
    let ranges = try IndexedRanges.ranges(of: file, in: filter.window, cache: cache)
    var gathered = table
    var rejections = RejectionLog()
    var lines = 0
    for range in ranges {
      try await FileScan(path: path, bytes: range).run(
        workers: workers, initial: StatsPart(filter: filter), countsHalfLine: range.upperBound >= size,
        fold: { part, batch, scanner in part.fold(batch, scanner.catalogue) },
        deliver: { part in
          gathered.merge(part.state, part.scanner.catalogue)
          rejections.append(part.scanner.rejections, linesBefore: lines)
          lines += part.scanner.lines
        })
    }
    table = gathered
    return (rejections, ranges == [0..<size])
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
